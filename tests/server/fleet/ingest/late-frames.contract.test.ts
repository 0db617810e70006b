import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const minuteS = 60
const dayS = 86_400

describe.each(oneEngine(import.meta.filename))('a frame that comes late on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine)
  })
  afterAll(() => server.close())

  const ago = (seconds: number) => new Date(server.now.getTime() - seconds * 1000)
  const sample = (board: TestBoard, seq: number, time: Date, values: TelemetryValues = {}) =>
    telemetryFrame(values, { seq, time, uid: board.uid })
  const shown = async (board: TestBoard) => (await server.call('GET', `control-pcb/${board.id}`)).body
  const samplesOf = (board: TestBoard) =>
    server.rows<{ ts: string; quality: number }>(
      `select "ts", "quality" from "telemetry" where "controlPcbId" = '${board.id}' order by "ts"`,
    )

  const missedOf = (board: TestBoard) =>
    server.rows(`select "missed" from "packageHour" where "controlPcbId" = '${board.id}' order by "hour"`)

  it('is no gap, version or configuration when its clock is wrong', async () => {
    const board = await server.addBoard()
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired") values ('${board.id}', 1, '{}')`)
    await server.send(board, sample(board, 40_000, server.now))
    const values = { firmwareVersion: '1.0.0', configVersion: 1, result: 'APPLIED', configuration: { socMinPct: 15 } } as const
    const acknowledged = encodeFrame({ type: 'CONFIG_ACK', seq: 30_001, uid: board.uid, time: ago(9 * dayS), values })
    await server.send(board, sample(board, 30_000, ago(9 * dayS), { firmwareVersion: '1.0.0', rebootCount: 2 }))
    await server.send(board, acknowledged)
    expect(await shown(board)).toMatchObject({
      firmware: { currentVersion: '2.1.3', previousVersion: null },
      config: { state: 'PENDING', reportedVersion: null },
    })
    server.pass(minuteS)
    await server.send(board, sample(board, 40_001, server.now))
    expect(await missedOf(board)).toEqual([{ missed: 0 }])
  })

  it('keeps its time after eight days without a line, one frame a request', async () => {
    const board = await server.addBoard()
    const start = server.now
    await server.send(board, sample(board, 1, start))
    server.pass(8 * dayS)
    const times = [1, 2, 3].map((minutes) => new Date(start.getTime() + minutes * 60_000))
    for (const [index, time] of times.entries()) await server.send(board, sample(board, 2 + index, time))
    expect(await samplesOf(board)).toEqual([start, ...times].map((time) => ({ ts: time.toISOString(), quality: 0 })))
  })

  it('keeps its time after eight days when the board is live already', async () => {
    const board = await server.addBoard()
    await server.send(board, sample(board, 11_521, server.now))
    await server.send(board, sample(board, 1, ago(8 * dayS)))
    expect(await samplesOf(board)).toEqual([ago(8 * dayS), server.now].map((time) => ({ ts: time.toISOString(), quality: 0 })))
    expect(await shown(board)).toMatchObject({ connection: { lastSampleAt: server.now.toISOString() } })
  })

  it('keeps its time when the newest frame of the same body shows that the clock is right', async () => {
    const board = await server.addBoard()
    const times = [ago(30 * dayS), ago(8 * dayS), server.now]
    await server.send(board, ...times.map((time, seq) => sample(board, seq, time)))
    expect(await samplesOf(board)).toEqual(times.map((time) => ({ ts: time.toISOString(), quality: 0 })))
  })

  it('is no longer missing, in the hour in which it was', async () => {
    const board = await server.addBoard()
    const start = server.now
    const at = (seq: number) => sample(board, seq, new Date(start.getTime() + seq * 1000))
    await server.send(board, at(1), at(11), at(2))
    expect(await missedOf(board)).toEqual([{ missed: 8 }])
    server.pass(3600)
    await server.send(board, at(3), at(4), at(5), at(4))
    expect(await missedOf(board)).toEqual([{ missed: 5 }, { missed: 0 }])
  })
})
