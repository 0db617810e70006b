import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { furtherPlaces } from '#resources/fleet/cell-place.ts'
import { mostEndedADay } from '#resources/fleet/warnings/day-bound.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { bitsOf, WarnedBoard } from '#tests/support/warned-board.ts'

const sensor = bitsOf('SENSOR_FAULT')
const dayMs = 86_400_000
const everyMs = 20 * 60_000
const timesADay = dayMs / everyMs

describe.each(engines)('days on which a condition comes and goes on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    server.pass(4 * 86_400)
  })

  const startOfDay = (daysAgo: number) => Math.floor(server.now.getTime() / dayMs) * dayMs - daysAgo * dayMs
  /** A day on which a sensor fails for two minutes, again and again. */
  const day = (daysAgo: number, placeOf: (index: number) => string | null = () => null) =>
    Array.from({ length: timesADay }, (_, index) => {
      const startMs = startOfDay(daysAgo) + index * everyMs + 60_000
      const at = (eventFlags: number, raisedFlags: number, clearedFlags: number, afterMs: number) =>
        warned.event({ eventFlags, raisedFlags, clearedFlags, subject: placeOf(index) }, new Date(startMs + afterMs))
      return [at(sensor, sensor, 0, 0), at(0, 0, sensor, 120_000)]
    }).flat()
  const send = async (frames: readonly Buffer[]) => {
    const { status, body, text } = await server.send(warned.board, ...frames)
    expect([status, body.accepted], text).toEqual([202, frames.length])
  }
  const rows = () =>
    server.rows<{ subject: string | null; occurrences: number; active: boolean; day: string }>(
      `select "subject", "occurrences", "active", to_char("clearedAt" at time zone 'UTC', 'YYYY-MM-DD') as "day" from "telemetry_warning"
        where "controlPcbId" = '${warned.board.id}' order by "startedAt"`,
    )
  const occurrencesOf = (some: readonly { occurrences: number }[]) => some.reduce((sum, one) => sum + one.occurrences, 0)

  it('write a bounded number of warnings each, of which the last says how often it came back', async () => {
    await send([...day(3), ...day(2)])
    const found = await rows()
    expect(found).toHaveLength(2 * mostEndedADay)
    expect(occurrencesOf(found)).toBe(2 * timesADay)
    const last = found.filter(({ occurrences }) => occurrences > 1)
    expect(last.map(({ occurrences }) => occurrences)).toEqual([timesADay - mostEndedADay + 1, timesADay - mostEndedADay + 1])
  })

  it('are bounded alike when they are told piece by piece', async () => {
    const frames = day(2)
    for (let index = 0; index < frames.length; index += 6) await send(frames.slice(index, index + 6))
    const found = await rows()
    expect(found).toHaveLength(mostEndedADay)
    expect(occurrencesOf(found)).toBe(timesADay)
  })

  it('have one warning for all places beyond the first', async () => {
    await send(day(2, (index) => `m1/c${String(index + 1).padStart(2, '0')}`))
    const found = await rows()
    expect(found).toHaveLength(mostEndedADay + 1)
    expect(found.at(-1)).toMatchObject({ subject: furtherPlaces, occurrences: timesADay - mostEndedADay, active: false })
    expect(new Set(found.map((one) => one.day)).size).toBe(1)
  })
})
