import { describe, expect, it } from 'vitest'
import { isOpen, nextOpening, readWindow, type WeekWindow } from '#resources/fleet/week-window.ts'
import { runsText } from '#schema/format/runs.ts'

const berlin = 'Europe/Berlin'
const every = ['1', '2', '3', '4', '5', '6', '7']
const window = (days: readonly string[], from: string, to: string): WeekWindow => ({ days, from, to })
const openAt = (one: WeekWindow, iso: string, zone = berlin) => isOpen(one, new Date(iso), zone)
const opens = (one: WeekWindow, iso: string, zone = berlin) => nextOpening(one, new Date(iso), zone)?.toISOString()

// 2 March 2026 is a Monday; Berlin is then an hour ahead of UTC.
describe('a window of the week', () => {
  const weekdays = window(['1', '2', '3', '4', '5'], '01:00', '05:00')

  it.each([
    ['2026-03-02T00:00:00Z', true],
    ['2026-03-01T23:59:59Z', false],
    ['2026-03-02T03:59:59Z', true],
    ['2026-03-02T04:00:00Z', false],
    ['2026-03-07T02:00:00Z', false],
  ])('is open from its beginning up to its end, by the clock of its zone: %s', (iso, expected) => {
    expect(openAt(weekdays, iso)).toBe(expected)
  })

  it('is another moment in another zone', () => {
    expect(openAt(weekdays, '2026-03-02T20:00:00Z')).toBe(false)
    expect(openAt(weekdays, '2026-03-02T20:00:00Z', 'Asia/Yekaterinburg')).toBe(true)
    // By that clock it is still Sunday in Los Angeles.
    expect(openAt(weekdays, '2026-03-02T09:30:00Z', 'America/Los_Angeles')).toBe(true)
    expect(openAt(weekdays, '2026-03-01T09:30:00Z', 'America/Los_Angeles')).toBe(false)
  })

  it.each([
    ['2026-03-06T21:30:00Z', true],
    ['2026-03-07T00:30:00Z', true],
    ['2026-03-07T01:00:00Z', false],
    ['2026-03-06T00:30:00Z', false],
    ['2026-03-07T21:30:00Z', false],
  ])('over midnight belongs to the day on which it begins: %s', (iso, expected) => {
    expect(openAt(window(['5'], '22:00', '02:00'), iso)).toBe(expected)
  })

  it('over midnight goes from Sunday into Monday', () => {
    expect(openAt(window(['7'], '23:00', '01:00'), '2026-03-01T23:30:00Z')).toBe(true)
  })

  it('keeps to the clock when that is put forward or back', () => {
    const night = window(every, '02:30', '04:00')
    // 29 March 2026: 02:00 becomes 03:00. The beginning is skipped, the rest of the window is not.
    expect([openAt(night, '2026-03-29T00:59:00Z'), openAt(night, '2026-03-29T01:00:00Z')]).toEqual([false, true])
    expect(opens(night, '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
    // 25 October 2026: 03:00 becomes 02:00 again, so that 02:30 comes twice.
    const short = window(every, '02:30', '02:45')
    expect(opens(short, '2026-10-24T22:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(opens(short, '2026-10-25T00:50:00Z')).toBe('2026-10-25T01:30:00.000Z')
  })

  it('that lies in a skipped hour opens the next time that there is such an hour', () => {
    expect(opens(window(['7'], '02:10', '02:50'), '2026-03-28T12:00:00Z')).toBe('2026-04-05T00:10:00.000Z')
  })

  it('tells when it opens next, and that is now while it is open', () => {
    expect(opens(weekdays, '2026-03-06T12:00:00Z')).toBe('2026-03-09T00:00:00.000Z')
    expect(opens(weekdays, '2026-03-06T02:00:30Z')).toBe('2026-03-06T02:00:30.000Z')
    expect(opens(window(['1'], '01:00', '05:00'), '2026-03-02T04:00:00Z')).toBe('2026-03-09T00:00:00.000Z')
    expect(opens(window(['5'], '22:00', '02:00'), '2026-03-06T12:00:00Z')).toBe('2026-03-06T21:00:00.000Z')
  })

  it('opens at a moment at which it is open, and not a minute earlier', () => {
    for (const [from, to] of [
      ['01:30', '03:10'],
      ['23:45', '00:15'],
      ['02:00', '02:30'],
    ] as const)
      for (const zone of [berlin, 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns'])
        for (let hours = 0; hours < 24 * 40; hours += 19) {
          const at = new Date(Date.UTC(2026, 2, 1) + hours * 3_600_000)
          const one = window(['2', '7'], from, to)
          const next = nextOpening(one, at, zone)
          if (!next) throw new Error(`${from} ${zone} ${at.toISOString()}: never`)
          expect(isOpen(one, next, zone)).toBe(true)
          if (next > at) expect(isOpen(one, new Date(next.getTime() - 60_000), zone)).toBe(false)
        }
  })

  it('is none without days or without a length', () => {
    expect(readWindow({ days: ['1'], from: '01:00', to: '05:00', timezone: berlin })).toEqual(window(['1'], '01:00', '05:00'))
    for (const value of [null, undefined, 'x', {}, window([], '01:00', '05:00'), window(['1'], '01:00', '01:00')])
      expect(readWindow(value)).toBeUndefined()
  })
})

describe('days in words', () => {
  const names = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  it.each([
    [['1', '2', '3', '4', '5'], 'Mon–Fri'],
    [['5', '4', '3', '2', '1'], 'Mon–Fri'],
    [['1', '2'], 'Mon, Tue'],
    [['1', '3', '5'], 'Mon, Wed, Fri'],
    [['1', '2', '3', '6'], 'Mon–Wed, Sat'],
    [every, 'Mon–Sun'],
  ])('are told by the ends of a row of three or more: %s', (days, words) => {
    expect(runsText(every, days, (day) => names[Number(day)] ?? '')).toBe(words)
  })
})
