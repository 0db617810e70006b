import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { qualities } from '#server/fleet/telemetry/sample-columns.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minuteMs = 60_000

describe.each(engines)('a clock that its board proves to be wrong on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  let seq: number
  beforeAll(async () => {
    // The connection of a board is judged by the clock of the database.
    server = await openBoardServer(engine, { at: new Date(), ingest: { observers: [observeSamples] } })
  })
  afterAll(() => server?.close())
  beforeEach(async () => {
    board = await server.addBoard()
    seq = 0
  })

  const from = (offsetMs: number) => new Date(server.now.getTime() + offsetMs)
  /** A sample of so long ago by a clock with this offset. */
  const send = (offsetMs: number, agoMs = 0, values: TelemetryValues = {}) =>
    server.send(
      { ...board, sentAtMs: server.now.getTime() + offsetMs },
      telemetryFrame(values, { seq: ++seq, time: from(offsetMs - agoMs), uid: board.uid }),
    )
  const shown = async () => (await server.call('GET', `control-pcb/${board.id}`)).body
  const samples = () =>
    server.rows<{ ts: string; quality: number; pvEnergyWh: number | null }>(
      `select "ts", "quality", "pvEnergyWh"::float8 as "pvEnergyWh" from "telemetry" where "controlPcbId" = '${board.id}' order by "ts"`,
    )
  const [good, estimated] = [qualities.indexOf('GOOD'), qualities.indexOf('ESTIMATED')]

  it.each([
    ['twenty minutes slow', -20 * minuteMs, 'CLOCK_PAST'],
    ['two hours slow', -120 * minuteMs, 'CLOCK_PAST'],
    ['six days slow', -6 * 1_440 * minuteMs, 'CLOCK_PAST'],
    ['an hour fast', 60 * minuteMs, 'CLOCK_FUTURE'],
  ])('keeps samples at their arrival when it is %s, also when they waited', async (_, offsetMs, code) => {
    const arrivals: string[] = []
    for (const [agoMs, pvEnergyWh] of [
      [0, 1_000],
      [90 * minuteMs, 1_010],
      [0, 1_020],
    ] as const) {
      arrivals.push(server.now.toISOString())
      await send(offsetMs, agoMs, { pvEnergyWh })
      server.pass(60)
    }
    expect((await samples()).map(({ ts, quality }) => ({ ts, quality }))).toEqual(
      arrivals.map((ts) => ({ ts, quality: estimated })),
    )
    const packets = await server.rows(`select "status", "reason" from "package" where "controlPcbId" = '${board.id}'`)
    expect(packets).toEqual(Array(3).fill({ status: 'PARTIAL', reason: [code] }))
    const [remembered] = await server.rows(`select "memory" from "boardMemory" where "controlPcbId" = '${board.id}'`)
    expect(remembered).toEqual({ memory: {} })
    await rollUp(server.database, server.now)
    const counted = await server.rows(
      `select sum("pvEnergyWhSum")::float8 as "wh" from "telemetry1h" where "controlPcbId" = '${board.id}'`,
    )
    expect(counted).toEqual([{ wh: null }])
    expect(await shown()).toMatchObject({ clockOffsetMs: offsetMs, connection: { state: 'ONLINE', cause: 'CLOCK' } })
    const warnings = await server.rows<{ startedAt: string }>(
      `select "code", "startedAt" from "telemetry_warning" where "controlPcbId" = '${board.id}' and "active"`,
    )
    expect(warnings).toEqual([{ code: 'CLOCK_DRIFT', startedAt: arrivals[0] }])
  })

  it('is found when it drifts away in a run in which it was right, and forgotten once it is right again', async () => {
    for (const minutes of [-4, -6, 0]) {
      await send(minutes * minuteMs)
      server.pass(600)
    }
    expect((await samples()).map(({ quality }) => quality)).toEqual([good, estimated, good])
    expect(await shown()).toMatchObject({ connection: { cause: 'OK' } })
  })

  it('stays found when such a packet is decoded again', async () => {
    await send(-20 * minuteMs)
    await send(60 * minuteMs, 180 * minuteMs)
    const before = await samples()
    const packets = await server.rows<{ id: string }>(`select "id" from "package" where "controlPcbId" = '${board.id}'`)
    for (const { id } of packets) expect((await server.call('POST', `package/${id}/reprocess`)).status).toBeLessThan(300)
    expect(await samples()).toEqual(before)
    const after = await server.rows(`select "reason" from "package" where "controlPcbId" = '${board.id}' order by "seq"`)
    expect(after).toEqual([{ reason: ['CLOCK_PAST'] }, { reason: ['CLOCK_FUTURE'] }])
  })

  it('takes nothing from what was made before it was set back', async () => {
    const time = from(-30 * minuteMs)
    await server.send({ ...board, sentAtMs: Date.UTC(1970, 0, 1, 0, 2) }, telemetryFrame({}, { seq: 1, time, uid: board.uid }))
    time.setMilliseconds(0)
    expect(await samples()).toMatchObject([{ ts: time.toISOString(), quality: good }])
  })
})
