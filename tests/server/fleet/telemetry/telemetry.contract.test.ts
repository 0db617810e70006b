import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import type { SeriesAnswer } from '#server/fleet/telemetry/series-answer.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minute = 60_000
const hour = 60 * minute

describe.each(engines)('telemetry on $name', (engine) => {
  let server: BoardServer
  const start = new Date('2026-03-02T00:00:00Z')
  const at = (minutes: number) => new Date(start.getTime() + minutes * minute)
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date('2026-03-02T12:00:00Z') })
  })
  afterAll(() => server.close())

  /** One sample a minute from `from` up to, not including, `to`. */
  const fill = async (board: TestBoard, [from, to]: [number, number], values: (minutes: number) => TelemetryValues) => {
    const frames = Array.from({ length: to - from }, (_, index) =>
      telemetryFrame(values(from + index), { seq: (from + index) & 0xffff, time: at(from + index), uid: board.uid }),
    )
    const { body } = await server.send(board, ...frames)
    expect(body).toMatchObject({ accepted: to - from, duplicate: 0 })
  }
  const read = async (board: TestBoard, from: number, to: number, query: string) =>
    (
      await server.call<SeriesAnswer>(
        'GET',
        `telemetry?controlPcbId=${board.id}&from=${at(from).toISOString()}&to=${at(to).getTime()}&${query}`,
      )
    ).body
  const ramp = (minutes: number): TelemetryValues => ({
    loadPowerW: minutes,
    loadEnergyWh: 1000 + minutes * 10,
    gridMode: minutes < 30 ? 'ON_GRID' : 'OFF_GRID',
    eventFlags: minutes === 7 ? 4 : 0,
  })
  const question = 'channel=loadPowerW&channel=loadEnergyWh&channel=gridMode&channel=eventFlags'

  it('answers what was measured, with a gap as null', async () => {
    const board = await server.addBoard()
    await fill(board, [0, 10], ramp)
    await fill(board, [20, 30], ramp)
    const { bucketMs, series, zone, estimatedPct } = await read(board, 0, 30, question)
    expect([bucketMs, zone]).toEqual([minute, 'Europe/Moscow'])
    expect(series.loadPowerW?.t).toEqual(Array.from({ length: 30 }, (_, index) => at(index).getTime()))
    const values = [
      ...Array.from({ length: 10 }, (_, i) => i),
      ...Array.from({ length: 10 }, () => null),
      ...Array.from({ length: 10 }, (_, i) => 20 + i),
    ]
    expect(series.loadPowerW).toMatchObject({ unit: 'W', kind: 'mean', avg: values, min: values, max: values })
    // The growth of a counter is known from the second sample on; that of a gap is shared over its 11 minutes, and marked.
    expect(series.loadEnergyWh).toMatchObject({ kind: 'counter', unit: 'Wh' })
    expect(series.loadEnergyWh?.avg.slice(0, 11)).toEqual([null, ...Array(8).fill(10), 20, 10])
    expect(series.loadEnergyWh?.avg.slice(10, 22)).toEqual([...Array(10).fill(10), 0, 10])
    expect(estimatedPct.slice(8, 11)).toEqual([0, 100, 100])
    expect(series.gridMode?.avg[0]).toBe('ON_GRID')
    expect(series.eventFlags?.avg[7]).toBe(4)
  })

  it('holds the value over a minute that jitter has skipped, and not over a missing sample', async () => {
    const board = await server.addBoard()
    const times = [0, 59.9, 121, 180, 300].map((seconds) => new Date(start.getTime() + seconds * 1000))
    await server.send(board, ...times.map((time, seq) => telemetryFrame({ loadPowerW: seq }, { seq, time, uid: board.uid })))
    const { series } = await read(board, 0, 6, 'channel=loadPowerW')
    expect(series.loadPowerW?.avg).toEqual([0.5, 0.5, 2, 3, null, 4])
  })

  it('holds over such a minute nothing of a silence before it', async () => {
    const board = await server.addBoard()
    const times = [0, 20 * 60 + 50, 22 * 60 + 5].map((seconds) => new Date(start.getTime() + seconds * 1000))
    await server.send(board, ...times.map((time, seq) => telemetryFrame({ loadPowerW: seq }, { seq, time, uid: board.uid })))
    const { estimatedPct, series } = await read(board, 0, 23, 'channel=loadPowerW')
    expect(series.loadPowerW?.avg.slice(19)).toEqual([null, 1, 1, 2])
    expect(estimatedPct.slice(19)).toEqual([100, 83, 0, 0])
  })

  it('tells the same before and after the roll-up, at every width', async () => {
    const board = await server.addBoard()
    await fill(board, [0, 600], ramp)
    const widths = [
      [0, 600, 300_000],
      [0, 50 * 60, 900_000],
      [0, 10 * 24 * 60, 3_600_000],
      [-3 * 60, 40 * 24 * 60, 86_400_000],
    ] as const
    const readAll = () => Promise.all(widths.map(([from, to]) => read(board, from, to, question)))
    const before = await readAll()
    expect(before.map(({ bucketMs }) => bucketMs)).toEqual(widths.map(([, , width]) => width))
    expect((await rollUp(server.database, at(700))).hours).toBeGreaterThanOrEqual(10)
    expect(await readAll()).toEqual(before)
    expect(await rollUp(server.database, at(3 * 24 * 60))).toMatchObject({ days: expect.any(Number) })
    expect(await readAll()).toEqual(before)
    expect(await rollUp(server.database, at(3 * 24 * 60))).toEqual({ hours: 0, days: 0 })
    const [five, , hours, days] = before
    expect(five?.series.loadPowerW).toMatchObject({
      avg: expect.arrayContaining([2]),
      min: expect.arrayContaining([0]),
      max: expect.arrayContaining([4]),
    })
    expect(five?.series.gridMode?.avg.slice(5, 7)).toEqual(['ON_GRID', 'OFF_GRID'])
    expect(hours?.series.loadPowerW?.avg.slice(0, 2)).toEqual([29.5, 89.5])
    expect(hours?.series.eventFlags?.avg[0]).toBe(4)
    // The site's day of Moscow begins at 21:00 UTC of the day before, and has all 600 minutes.
    expect(days?.from).toBe(at(-180).getTime())
    expect([days?.series.loadEnergyWh?.avg[0], days?.series.loadPowerW?.avg[0], days?.series.loadPowerW?.max[0]]).toEqual([
      5990, 299.5, 599,
    ])
  })

  it('takes late samples into rows that were rolled up, without counting energy twice', async () => {
    const board = await server.addBoard()
    await fill(board, [0, 60], ramp)
    await fill(board, [180, 240], ramp)
    await rollUp(server.database, at(500))
    const total = async () => {
      const { series } = await read(board, 0, 10 * 24 * 60, 'channel=loadEnergyWh')
      return series.loadEnergyWh?.avg.reduce<number>((sum, value) => sum + Number(value ?? 0), 0)
    }
    expect(await total()).toBe(2390)
    await fill(board, [60, 180], ramp)
    expect(await total()).toBe(2390)
    // The hours that came, the one after them, and the one where the silence began that they fill.
    expect((await rollUp(server.database, at(500))).hours).toBe(4)
    expect(await total()).toBe(2390)
    expect(await server.rows(`select count(*) as "n" from "telemetry5m" where "controlPcbId" = '${board.id}'`)).toEqual([
      { n: 48 },
    ])
  })

  it('splits a counter where it was set back', async () => {
    const board = await server.addBoard()
    await fill(board, [0, 60], (minutes) => ({ loadEnergyWh: minutes < 30 ? 5000 + minutes * 10 : (minutes - 30) * 10 }))
    const { series } = await read(board, 0, 10 * 24 * 60, 'channel=loadEnergyWh')
    // 29 steps before, 28 after: the falling sample itself is doubted and left out.
    expect(series.loadEnergyWh?.avg[0]).toBe(570)
  })

  /** Two boards that one ESS had one after the other. */
  const swapped = async ([removed, attached]: [number, number], filled: number): Promise<TestBoard> => {
    const [first, second] = [await server.addBoard(), await server.addBoard()]
    await fill(first, [0, filled], () => ({ loadPowerW: 100 }))
    await fill(second, [0, filled], () => ({ loadPowerW: 200 }))
    const change = (board: TestBoard, set: string) =>
      server.rows(`update "control_pcb_attachment" set ${set} where "controlPcbId" = '${board.id}'`)
    await change(first, `"removedAt" = '${at(removed).toISOString()}'`)
    await change(second, `"essId" = '${first.essId}', "attachedAt" = '${at(attached).toISOString()}'`)
    return first
  }
  const powerOf = async ({ essId }: TestBoard, from: number, to: number) => {
    const asked = `telemetry?essId=${essId}&from=${at(from).getTime()}&to=${at(to).getTime()}&channel=loadPowerW`
    const { body } = await server.call<SeriesAnswer>('GET', asked)
    return body.series.loadPowerW?.avg
  }

  it('follows an ESS over a change of its main board', async () => {
    const avg = await powerOf(await swapped([30, 40], 60), 0, 60)
    expect([avg?.[29], avg?.[30], avg?.[39], avg?.[40]]).toEqual([100, null, null, 200])
  })

  it('knows the hour and the day in which boards of an ESS changed once they are rolled up', async () => {
    const ess = await swapped([95, 130], 240)
    const asked = async () => [await powerOf(ess, 0, 10 * 24 * 60), await powerOf(ess, -3 * 60, 40 * 24 * 60)]
    const [hours, days] = await asked()
    expect(hours?.slice(0, 5)).toEqual([100, 100, 200, 200, null])
    expect(days?.slice(0, 2)).toEqual([153.7, null])
    await rollUp(server.database, at(3 * 24 * 60))
    expect(await asked()).toEqual([hours, days])
  })

  it('draws every day of a site whose first one has no midnight', async () => {
    // On 25 April 2025 the clocks of Cairo went from 0:00 to 1:00.
    const board = await server.addBoard({ timezone: 'Africa/Cairo' })
    const noons = Array.from({ length: 37 }, (_, index) => new Date(Date.UTC(2025, 3, 25 + index, 9)))
    await ensurePartitions(server.database, new Date('2025-04-01'), new Date('2025-05-31'))
    const facts = { controlPcbId: board.id, essId: board.essId, packageId: null, receivedAt: server.now }
    const samples = noons.map((time) => ({
      ...facts,
      sample: { at: time, quality: 'GOOD' as const, values: { loadPowerW: 100 } },
    }))
    await inTransaction(server.database, (db) => insertSamples(db, samples))
    const range = 'from=2025-04-25T05:00:00Z&to=2025-05-31T20:00:00Z'
    const { body } = await server.call<SeriesAnswer>('GET', `telemetry?controlPcbId=${board.id}&${range}&channel=loadPowerW`)
    expect(body.from).toBe(Date.parse('2025-04-24T22:00:00Z'))
    expect(body.series.loadPowerW?.avg).toEqual(noons.map(() => 100))
  })

  it('never gives more than 750 points, nor more than asked for', async () => {
    const board = await server.addBoard()
    for (const [minutes, points] of [
      [60, 20],
      [6 * 60, 750],
      [5 * 24 * 60, 750],
      [31 * 24 * 60, 100],
      [6000 * 24 * 60, 750],
    ] as const) {
      const { series } = await read(board, -minutes, 0, `channel=socPct&points=${points}`)
      expect(series.socPct?.t.length).toBeLessThanOrEqual(points)
      expect(series.socPct?.t.length).toBeGreaterThan(points / 40)
    }
  })

  it('waits for a board that reports seldom', async () => {
    const board = await server.addBoard()
    await server.send(board, telemetryFrame({}, { seq: 1, time: at(0), uid: board.uid }))
    await server.rows(`update "boardState" set "reportIntervalS" = 600 where "controlPcbId" = '${board.id}'`)
    expect((await read(board, 0, 60, 'channel=socPct')).bucketMs).toBe(900_000)
  })

  it('takes wider points where a board reported more seldom than it does now', async () => {
    const board = await server.addBoard()
    const times = [
      ...Array.from({ length: 24 }, (_, index) => at(index * 5)),
      ...Array.from({ length: 20 }, (_, index) => at(120 + index)),
    ]
    await server.send(board, ...times.map((time, seq) => telemetryFrame({ loadPowerW: seq }, { seq, time, uid: board.uid })))
    const { bucketMs, series } = await read(board, 0, 140, 'channel=loadPowerW')
    expect([bucketMs, series.loadPowerW?.avg.includes(null)]).toEqual([5 * minute, false])
    expect((await read(board, 115, 140, 'channel=loadPowerW')).bucketMs).toBe(minute)
  })

  it.each([
    ['channel=socPct', 400],
    [`essId=01890000-0000-7000-8000-000000000000&channel=socPct`, 404],
    [`controlPcbId=01890000-0000-7000-8000-000000000000&channel=nonsense`, 400],
    [`controlPcbId=01890000-0000-7000-8000-000000000000&channel=socPct&points=751`, 400],
    [`controlPcbId=01890000-0000-7000-8000-000000000000`, 400],
    [`controlPcbId=x&channel=socPct`, 400],
  ])('refuses %s with %i', async (query, status) => {
    expect((await server.call('GET', `telemetry?from=0&to=1000&${query}`)).status).toBe(status)
  })

  it('is for staff and engineers only', async () => {
    const board = await server.addBoard()
    const path = `telemetry?controlPcbId=${board.id}&from=0&to=${hour}&channel=socPct`
    for (const role of ['moderator', 'service_engineer'] as const)
      expect((await server.call('GET', path, { role })).status).toBe(200)
    for (const role of ['client', 'installer'] as const) expect((await server.call('GET', path, { role })).status).toBe(403)
  })
})
