import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const minuteMs = 60_000
type BootValues = FrameToEncode<'BOOT'>['values']

const usual: BootValues = {
  firmwareVersion: '2.2.0',
  transport: 'LTE',
  resetReason: 'BROWNOUT',
  rebootCount: 4,
  uptimeS: 3,
  bootloaderVersion: '1.3.0',
  previousVersion: '2.1.3',
  hardwareRevision: 'B1',
  product: 'ESS-PCB',
}

describe.each(oneEngine(import.meta.filename))('a board that starts on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date('2026-03-02T12:00:00Z'), ingest: { observers: [observeSamples] } })
  })
  afterAll(() => server.close())

  let seq = 0
  const boot = ({ uid }: TestBoard, values: BootValues = {}, time = server.now) =>
    encodeFrame({ type: 'BOOT', seq: ++seq, uid, time, values: { ...usual, ...values } })
  const sample = ({ uid }: TestBoard, values: TelemetryValues, time = server.now) =>
    telemetryFrame(values, { seq: ++seq, time, uid })
  async function post(board: TestBoard, ...frames: Buffer[]) {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/device/v1/frames',
      headers: {
        'content-type': 'application/octet-stream',
        'x-device-key': board.key,
        'x-sent-at': String(server.now.getTime()),
      },
      payload: Buffer.concat(frames),
    })
    expect(answer.statusCode).toBe(202)
    return answer.json<Record<string, unknown>>()
  }
  const shown = async ({ id }: TestBoard) => (await server.call('GET', `control-pcb/${id}`)).body
  const packages = async ({ id }: TestBoard) =>
    server.rows<{ type: string; status: string; reasons: { code: string; expected: string; actual: string }[] }>(
      `select "type", "status", "reasons" from "package" where "controlPcbId" = '${id}' order by "seq"`,
    )

  it('tells why, with which versions, and how often it has started', async () => {
    const board = await server.addBoard()
    expect(await post(board, boot(board))).toMatchObject({ accepted: 1, invalid: 0 })
    expect(await shown(board)).toMatchObject({
      firmware: { currentVersion: '2.2.0', previousVersion: '2.1.3', bootloaderVersion: '1.3.0' },
      board: { lastResetReason: 'BROWNOUT', rebootCount: 4, uptimeS: 3 },
      connection: { lastValidPacketAt: server.now.toISOString(), lastSampleAt: null },
      clockOffsetMs: 0,
    })
    expect(await packages(board)).toMatchObject([{ type: 'BOOT', status: 'VALID', reasons: [] }])
  })

  it('may leave its product out, as older firmware does, and is noted where it is another one than registered', async () => {
    const [older, other] = [await server.addBoard(), await server.addBoard()]
    await post(
      older,
      boot(older, { product: null }),
      encodeFrame({ type: 'HEARTBEAT', seq: ++seq, uid: older.uid, time: server.now, values: {} }),
    )
    expect((await packages(older))[0]).toMatchObject({ status: 'VALID', reasons: [] })
    expect(await post(other, boot(other, { product: 'ESS-LINK' }))).toMatchObject({ accepted: 1, invalid: 0 })
    expect(await packages(other)).toMatchObject([
      { status: 'VALID', reasons: [{ code: 'OTHER_PRODUCT', expected: 'ESS-PCB', actual: 'ESS-LINK' }] },
    ])
  })

  it('explains counters that start over: nothing is doubted and no energy is made up or lost', async () => {
    const board = await server.addBoard()
    const start = server.now.getTime()
    const readings = [
      [0, 500_000, 3],
      [1, 500_010, 3],
      [2, 5, 4],
      [3, 25, 4],
    ] as const
    for (const [minutes, loadEnergyWh, rebootCount] of readings) {
      server.setNow(new Date(start + minutes * minuteMs))
      const started = rebootCount === 4 && loadEnergyWh === 5 ? [boot(board)] : []
      await post(board, ...started, sample(board, { loadEnergyWh, rebootCount }))
    }
    expect((await packages(board)).map(({ status }) => status)).toEqual(Array(5).fill('VALID'))
    await rollUp(server.database, new Date(start + 24 * 60 * minuteMs))
    const [hour] = await server.rows(
      `select "loadEnergyWhSum"::float8 as "wh" from "telemetry1h" where "controlPcbId" = '${board.id}'`,
    )
    expect(hour).toEqual({ wh: 30 })
  })

  it('with its clock at 1970 is heard, its time is noted as wrong, and its next frame with a right one tells the rest', async () => {
    const board = await server.addBoard()
    await post(board, boot(board, {}, new Date(90_000)))
    const [packet] = await packages(board)
    expect(packet).toMatchObject({ type: 'BOOT', status: 'PARTIAL', reasons: [{ code: 'CLOCK_PAST' }] })
    expect(await shown(board)).toMatchObject({ connection: { lastValidPacketAt: server.now.toISOString() } })
    server.pass(60)
    await post(board, sample(board, { rebootCount: 4 }))
    expect(await shown(board)).toMatchObject({
      connection: { lastSampleAt: server.now.toISOString() },
      clockOffsetMs: 0,
    })
  })

  it('again and again is a warning, by its starts and by its count of them', async () => {
    const board = await server.addBoard()
    for (const rebootCount of [4, 5, 6]) {
      await post(board, boot(board, { rebootCount }))
      server.pass(300)
    }
    const warnings = await server.rows(
      `select "code", "severity", "active" from "telemetry_warning" where "controlPcbId" = '${board.id}'`,
    )
    expect(warnings).toEqual([{ code: 'REBOOT_LOOP', severity: 'WARNING', active: true }])
  })
})
