import { describe, expect, it } from 'vitest'
import { type Starts, startsAfter } from '#server/fleet/warning/board-starts.ts'

const hourMs = 3_600_000
const noonMs = Date.parse('2026-03-02T12:00:00Z')
const frame = (rebootCount: number | null, type: 'BOOT' | 'HEARTBEAT' = 'HEARTBEAT') => ({ type, values: { rebootCount } })
const within = { atMs: noonMs, beforeMs: noonMs - 60_000 }
const countOf = ({ starts = [] }: Starts) => starts.length

describe('the starts of a board', () => {
  it('are not known by the first header', () => {
    expect(startsAfter({}, frame(500), within)).toEqual({ reboots: 500 })
  })

  it('are counted by each header, whatever BOOT frames were lost', () => {
    expect(startsAfter({ reboots: 7 }, frame(9), within)).toEqual({ reboots: 9, starts: [noonMs - 30_000, noonMs] })
  })

  it('are counted once where the header and a BOOT frame tell of the same', () => {
    expect(countOf(startsAfter({ reboots: 7 }, frame(8, 'BOOT'), within))).toBe(1)
  })

  it('are counted by BOOT frames of a board that does not count, or whose count stands or begins again', () => {
    for (const [reboots, now] of [
      [undefined, null],
      [7, 7],
      [7, 0],
    ] as const)
      expect(countOf(startsAfter(reboots === undefined ? {} : { reboots }, frame(now, 'BOOT'), within))).toBe(1)
    expect(startsAfter({ reboots: 7 }, frame(0), within)).toEqual({ reboots: 0 })
  })

  it('of a silence of days count for the hour in their share', () => {
    const afterDays = { atMs: noonMs, beforeMs: noonMs - 72 * hourMs }
    expect(countOf(startsAfter({ reboots: 7 }, frame(10), afterDays))).toBe(1)
    expect(countOf(startsAfter({ reboots: 7 }, frame(7 + 5 * 72), afterDays))).toBe(5)
  })

  it('are forgotten after an hour, and are never more than twenty', () => {
    const before = { reboots: 9, starts: [noonMs - hourMs, noonMs - 1] }
    expect(startsAfter(before, frame(9), within).starts).toEqual([noonMs - 1])
    expect(countOf(startsAfter({ reboots: 9 }, frame(9_999), within))).toBe(20)
  })
})
