import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import type { SeriesAnswer } from '#server/fleet/telemetry/series-answer.ts'
import type { Sample } from '#server/frames/frame-decoder.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minute = 60_000
const start = new Date('2026-03-02T00:00:00Z')
const at = (minutes: number) => new Date(start.getTime() + minutes * minute)

/** Load counter by minute; null = not in this sample. */
type Counted = readonly (readonly [minutes: number, loadEnergyWh: number | null])[]

describe.each(engines)('the growth of counters on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date('2026-03-02T12:00:00Z') })
    await ensurePartitions(server.database, at(-60), at(24 * 60))
  })
  afterAll(() => server.close())

  /** Samples as they stand in the table, past the judgement of the decoder. */
  const store = async (board: TestBoard, counted: Counted, quality: Sample['quality'] = 'GOOD') => {
    const facts = { controlPcbId: board.id, essId: board.essId, packageId: null, receivedAt: server.now }
    const rows = counted.map(([minutes, loadEnergyWh]) => ({
      ...facts,
      sample: { at: at(minutes), quality, values: { loadEnergyWh, loadPowerW: minutes } },
    }))
    await inTransaction(server.database, (db) => insertSamples(db, rows))
  }
  const hours = async (board: TestBoard, channel: 'loadEnergyWh' | 'loadPowerW' = 'loadEnergyWh') => {
    const range = `from=${start.toISOString()}&to=${at(10 * 24 * 60).toISOString()}`
    const path = `telemetry?controlPcbId=${board.id}&${range}&channel=${channel}`
    const { body } = await server.call<SeriesAnswer>('GET', path)
    return body.series[channel]?.avg
  }
  /** The first hours as charts show them, from samples and again once these are rolled up. */
  const bothWays = async (board: TestBoard, count: number) => {
    const fromSamples = (await hours(board))?.slice(0, count)
    await rollUp(server.database, at(24 * 60))
    return { fromSamples, rolledUp: (await hours(board))?.slice(0, count) }
  }
  const same = (values: readonly (number | null)[]) => ({ fromSamples: values, rolledUp: values })

  it('is 60 Wh for a counter that reads 0 for two samples and is back at its old value', async () => {
    const board = await server.addBoard()
    const counted = [1_000_000, 1_000_020, 0, 0, 1_000_050, 1_000_060]
    await store(
      board,
      counted.map((value, index) => [index, value]),
    )
    expect(await bothWays(board, 1)).toEqual(same([60]))
  })

  it('is 60 Wh when frames say so, too', async () => {
    const board = await server.addBoard()
    const counted = [1_000_000, 1_000_020, 0, 0, 1_000_050, 1_000_060]
    const frames = counted.map((loadEnergyWh, seq) => telemetryFrame({ loadEnergyWh }, { seq, time: at(seq), uid: board.uid }))
    await server.send(board, ...frames)
    expect(await bothWays(board, 1)).toEqual(same([60]))
  })

  it('finds the old value again when the two hours of a glitch are rolled up one after the other', async () => {
    const board = await server.addBoard()
    await store(board, [
      [50, 1_000_000],
      [58, 1_000_020],
      [59, 0],
      [60, 0],
      [61, 1_000_050],
      [70, 1_000_060],
    ])
    expect(await bothWays(board, 2)).toEqual(same([20, 40]))
  })

  it('is never more than the site can have used in that time', async () => {
    const board = await server.addBoard()
    await store(board, [
      [0, 1_000],
      [1, 1_050],
      [2, 9_000_000_000],
      [3, 9_000_000_020],
    ])
    expect(await bothWays(board, 1)).toEqual(same([70]))
  })

  it('is never more than a home without a stated connection can have used', async () => {
    const board = await server.addBoard()
    await server.rows(`update "ess" set "gridConnectionLimitW" = null, "pvPeakPowerW" = null where "id" = '${board.essId}'`)
    // Three phases of 63 A from the grid and as much from panels, and a battery of 5 kW: 11.5 kWh and some in five minutes.
    await store(board, [
      [0, 1_000],
      [5, 11_000],
      [10, 511_000],
      [15, 511_020],
    ])
    expect(await bothWays(board, 1)).toEqual(same([10_020]))
  })

  it('goes on from where a counter was reset to', async () => {
    const board = await server.addBoard()
    await store(board, [
      [0, 500_000],
      [1, 500_010],
      [2, 5],
      [3, 25],
    ])
    expect(await bothWays(board, 1)).toEqual(same([30]))
  })

  it('is shared by time over a long silence', async () => {
    const board = await server.addBoard()
    await store(board, [
      [0, 1_000],
      [300, 21_000],
    ])
    expect(await bothWays(board, 6)).toEqual(same([4_000, 4_000, 4_000, 4_000, 4_000, 0]))
  })

  it.each([2, 5])('is 100 Wh for a counter that is in every sample of %i only', async (every) => {
    const board = await server.addBoard()
    const count = 10 * every + 1
    await store(
      board,
      Array.from({ length: count }, (_, index) => [index, index % every === 0 ? 5_000 + (index / every) * 10 : null]),
    )
    expect(await bothWays(board, 1)).toEqual(same([100]))
  })

  it('counts over the border of hours from the last value that is known, however many samples lack it', async () => {
    const board = await server.addBoard()
    const counted = Array.from({ length: 200 }, (_, index) => [index, index % 70 === 20 ? 5_000 + index : null] as const)
    await store(board, counted)
    expect(await bothWays(board, 4)).toEqual(same([null, 70, 70, null]))
  })

  it('opens the hour again that a late value changes, however far on', async () => {
    const board = await server.addBoard()
    const known = new Set([20, 150])
    await store(
      board,
      Array.from({ length: 180 }, (_, index) => [index, known.has(index) ? 5_000 + index : null] as const).filter(
        ([index]) => index !== 70,
      ),
    )
    expect(await bothWays(board, 3)).toEqual(same([null, null, 130]))
    await store(board, [[70, 5_060]])
    expect(await bothWays(board, 3)).toEqual(same([null, 40, 90]))
  })

  it('is not moved by samples of a wrong clock, and neither are means', async () => {
    const board = await server.addBoard()
    const counted = Array.from({ length: 11 }, (_, index) => [index * 2, 60_000 + index * 10] as const)
    await store(board, counted)
    await store(board, [[11, 50]], 'ESTIMATED')
    expect(await bothWays(board, 1)).toEqual(same([100]))
    expect((await hours(board, 'loadPowerW'))?.[0]).toBe(10)
  })
})
