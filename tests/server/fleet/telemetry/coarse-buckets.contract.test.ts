import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const dayMs = 86_400_000
type Answer = { from: number; series: { loadEnergyWh: { t: number[]; avg: (number | null)[] } } }

describe.each(oneEngine(import.meta.filename))('a chart of few points on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  const now = new Date('2026-03-02T12:00:00Z')
  /** Local midnight in Moscow. */
  const today = Date.parse('2026-03-01T21:00:00Z')
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: now })
    board = await server.addBoard({ timezone: 'Europe/Moscow' })
    await server.rows(`insert into "telemetry1d" ("controlPcbId", "ts", "seconds", "loadEnergyWhSum")
      select '${board.id}', "ts", 86400, 100 from generate_series('${new Date(today - 400 * dayMs).toISOString()}'::timestamptz,
        '${new Date(today - dayMs).toISOString()}', '1 day') as "ts"`)
  }, 120_000)
  afterAll(() => server?.close())

  const read = async (from: number, points: number) => {
    const path = `telemetry?controlPcbId=${board.id}&from=${from}&to=${today}&channel=loadEnergyWh&points=${points}`
    const { body } = await server.call<Answer>('GET', path)
    const { t, avg } = body.series.loadEnergyWh
    return { from: body.from, t, sumWh: avg.reduce<number>((sum, value) => sum + (value ?? 0), 0) }
  }

  it.each([750, 100, 20, 5])('holds of 200 days the energy of these and begins with them, with %s points', async (points) => {
    const from = today - 200 * dayMs
    const found = await read(from, points)
    expect(found).toMatchObject({ from, sumWh: 20_000 })
    expect(found.t[0]).toBe(from)
    expect(found.t.length).toBeLessThanOrEqual(points)
  })

  it('begins with the local day in which its span begins', async () => {
    const from = today - 200 * dayMs
    expect(await read(from + dayMs / 2, 5)).toMatchObject({ from, sumWh: 20_000 })
  })
})
