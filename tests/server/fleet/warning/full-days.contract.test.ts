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

  it('are counted for each system where the board stands', async () => {
    server.pass((startOfDay(-1) + 12 * 3_600_000 - server.now.getTime()) / 1000)
    await send(day(0).slice(0, 2 * mostEndedADay))
    const [{ board }, other] = [warned, await server.addBoard()]
    for (const { essId, id } of [other, board])
      await server.call('DELETE', `ess/${essId}/remove-control-pcb`, { body: { controlPcbId: id, reason: 'swap' } })
    await server.call('POST', `ess/${other.essId}/attach-control-pcb`, { body: { controlPcbId: board.id, role: 'MAIN' } })
    server.pass(6 * 3_600)
    const atTwo = 2 * (14 * 3)
    await send(day(0, () => 'm1/c05').slice(atTwo, atTwo + 2))
    const ofOther = await server.rows(
      `select "subject", "occurrences" from "telemetry_warning" where "essId" = '${other.essId}'`,
    )
    expect([(await rows()).length, ofOther]).toEqual([mostEndedADay + 1, [{ subject: 'm1/c05', occurrences: 1 }]])
  })

  describe('that are flapping, told late, with a fault at the end that lasts', () => {
    /** Every 12 minutes; of the last fault no end is told. */
    const faults = (times: number) =>
      Array.from({ length: times }, (_, index) => {
        const at = (afterS: number) => new Date(startOfDay(2) + index * 12 * 60_000 + afterS * 1000)
        return [
          warned.event({ eventFlags: sensor, raisedFlags: sensor, clearedFlags: 0 }, at(0)),
          warned.sample({ eventFlags: sensor }, at(90)),
          warned.event({ eventFlags: 0, raisedFlags: 0, clearedFlags: sensor }, at(120)),
        ]
      })
        .flat()
        .slice(0, -1)
    const noticesOfOpen = async () => {
      const open = await server.rows<{ id: string; flapping: boolean }>(
        `select "id", "flapping" from "telemetry_warning" where "controlPcbId" = '${warned.board.id}' and "active"`,
      )
      expect(open).toEqual([{ id: expect.any(String), flapping: true }])
      expect(await rows()).toHaveLength(mostEndedADay)
      return (await warned.noticesOf(open[0]?.id ?? '')).length
    }

    it('tell of it once', async () => {
      await send(faults(120))
      expect(await noticesOfOpen()).toBe(1)
    })

    it('tell of it once when each frame comes by itself', async () => {
      for (const frame of faults(24)) {
        server.pass(1)
        await send([frame])
      }
      expect(await noticesOfOpen()).toBe(1)
    })

    it('tell of it once more when all that was told before had ended as it was told', async () => {
      const frames = faults(120)
      const parts = [frames.slice(0, 90), frames.slice(90, 180), frames.slice(180)]
      for (const part of parts) {
        // What has ended is not notified.
        await server.rows(`delete from "warningNotice"`)
        await send(part)
      }
      expect(await noticesOfOpen()).toBe(1)
    })

    it('do not keep a notice of what had ended as it was told', async () => {
      const frames = faults(120)
      await send(frames.slice(0, 90))
      await server.rows(`delete from "warningNotice"`)
      await send(frames.slice(90, 180))
      expect(await server.rows(`select "warningId" from "warningNotice"`)).toEqual([])
    })
  })

  describe('of which the morning has had all that it may', () => {
    const faultAt = (subject: string | null) => ({ eventFlags: sensor, raisedFlags: sensor, clearedFlags: 0, subject })
    type Row = Record<'id' | 'subject', string> &
      Record<'acknowledged' | 'flapping', boolean> & { occurrences: number; raisedAt: Date }
    /** In the evening all warnings of the morning are acknowledged, and have come and gone too often. */
    const evening = async (subject: string | null) => {
      server.pass((startOfDay(-1) + 18 * 3_600_000 - server.now.getTime()) / 1000)
      await send(day(0, () => subject).slice(0, 2 * mostEndedADay))
      expect(await rows()).toHaveLength(mostEndedADay)
      await server.rows(
        `update "telemetry_warning" set "acknowledged" = true, "flapping" = true where "controlPcbId" = '${warned.board.id}'`,
      )
      await server.rows(`delete from "warningNotice"`)
    }
    const open = async (): Promise<[Row, number]> => {
      const [one, ...others] = await server.rows<Row>(
        `select * from "telemetry_warning" where "controlPcbId" = '${warned.board.id}' and "active"`,
      )
      if (!one) throw new Error('nothing is open')
      expect(others).toEqual([])
      return [one, (await warned.noticesOf(one.id)).length]
    }
    const isoOf = (time: Date) => new Date(time).toISOString()

    it.each([
      ['without a place', null, null],
      ['at the same place', 'm1/c01', 'm1/c01'],
      ['at another place', 'm1/c01', 'm2/c07'],
    ])('have a warning of its own for a fault of the present %s', async (_, before, subject) => {
      await evening(before)
      await warned.hear(0, faultAt(subject))
      await warned.see(120, { eventFlags: sensor })
      const [one, notices] = await open()
      expect(one).toMatchObject({ subject, acknowledged: false, flapping: false, occurrences: 1 })
      expect([await rows(), notices]).toEqual([expect.objectContaining({ length: mostEndedADay + 1 }), 1])
      expect(isoOf(one.raisedAt)).toBe(server.now.toISOString())
    })

    it('tell of a fault that is told late and lasts as of a new one, in the last warning of the morning', async () => {
      await evening(null)
      const ago = (minutes: number) => new Date(server.now.getTime() - minutes * 60_000)
      await send([warned.event(faultAt(null), ago(60)), warned.sample({ eventFlags: sensor }, ago(55))])
      const [one, notices] = await open()
      expect(one).toMatchObject({ acknowledged: false, flapping: false, occurrences: 2 })
      expect([(await rows()).length, notices]).toEqual([mostEndedADay, 1])
      expect(isoOf(one.raisedAt)).toBe(server.now.toISOString())
    })
  })
})
