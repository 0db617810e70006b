import { describe, expect, it } from 'vitest'
import { spanAround } from '#server/fleet/case/open-case.ts'

const at = (time: string) => new Date(`2026-03-${time}:00.000Z`)
const iso = (time: string) => at(time).toISOString()
const warning = (more: Record<string, unknown> = {}) => ({
  startedAt: iso('10T11:59'),
  raisedAt: iso('10T12:00'),
  lastSeenAt: iso('10T12:10'),
  active: false,
  clearedAt: iso('10T12:15'),
  ...more,
})

describe('the time of a case file', () => {
  it('goes from half an hour before a warning began to half an hour after it was over', () => {
    expect(spanAround(warning(), at('12T00:00'))).toEqual({ startsAt: at('10T11:29'), endsAt: at('10T12:45') })
  })

  it('reaches half an hour beyond now while the warning lasts', () => {
    const lasting = warning({ active: true, clearedAt: null })
    expect(spanAround(lasting, at('10T13:00'))).toEqual({ startsAt: at('10T11:29'), endsAt: at('10T13:30') })
  })

  it('ends half an hour after the first day of what lasts for weeks', () => {
    const lasting = warning({ active: true, clearedAt: null })
    expect(spanAround(lasting, at('28T00:00')).endsAt).toEqual(at('11T12:30'))
  })

  it.each([
    ['a year before', '2025-03-10T12:00:00.000Z', at('10T05:30')],
    ['a day after', iso('11T12:00'), at('10T11:30')],
  ])('does not follow a clock that is %s', (_, startedAt, startsAt) => {
    expect(spanAround(warning({ startedAt }), at('12T00:00')).startsAt).toEqual(startsAt)
  })
})
