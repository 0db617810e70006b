import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import type { FrameType } from '#server/frames/frame-layout.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

describe.each(oneEngine(import.meta.filename))('a board that reports on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine)
  })
  afterAll(() => server.close())

  const sample = (board: TestBoard, seq: number, values: TelemetryValues = {}, time = server.now) =>
    telemetryFrame(values, { seq, time, uid: board.uid })
  const frame = <T extends FrameType>(board: TestBoard, type: T, seq: number, values: FrameToEncode<T>['values']) =>
    encodeFrame({ type, seq, uid: board.uid, time: server.now, values })
  const shown = async (board: TestBoard) =>
    (
      await server.call<{
        connection: Record<string, unknown>
        firmware: object
        board: object
        config: object
        clockOffsetMs: number
      }>('GET', `control-pcb/${board.id}`)
    ).body

  describe('what a board tells of itself', () => {
    it('is seen in its record', async () => {
      const board = await server.addBoard()
      await server.send(
        board,
        sample(board, 1, { firmwareVersion: '2.1.2', uptimeS: 60 }),
        sample(board, 2, {}, new Date(server.now.getTime() + 1000)),
      )
      expect(await shown(board)).toMatchObject({
        connection: {
          lastPacketAt: server.now.toISOString(),
          lastValidPacketAt: server.now.toISOString(),
          transport: 'LTE',
          rssiDbm: -71,
          ip: '127.0.0.1',
        },
        firmware: { currentVersion: '2.1.3', previousVersion: '2.1.2' },
        board: {
          uptimeS: 86_400,
          rebootCount: 3,
          lastResetReason: 'POWER_ON',
          supplyMv: 12_040,
          boardTempC: 31.5,
          freeHeapB: 123_456,
        },
        clockOffsetMs: 1000,
      })
    })

    // The embedded engine has one session: one body waits for the whole of another.
    if (engine.name === 'PostgreSQL')
      it('is never older than what another body has told while this one waited', async () => {
        const board = await server.addBoard()
        await server.send(board, sample(board, 1))
        const later = new Date(server.now.getTime() + 60_000).toISOString()
        let sending: Promise<unknown> | undefined
        await inTransaction(server.database, async (db) => {
          await rowsOf(db, sql`select 1 from "boardMemory" where "controlPcbId" = ${board.id} for update`)
          sending = server.send(board, sample(board, 2, { firmwareVersion: '2.1.4' }, new Date(server.now.getTime() + 1000)))
          const waits = `select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
          await expect.poll(() => server.rows(waits)).toHaveLength(1)
          await sql`update "boardState" set "lastSampleAt" = ${later}, "firmwareVersion" = '2.2.0' where "controlPcbId" = ${board.id}`.execute(
            db,
          )
        })
        await sending
        expect(await shown(board)).toMatchObject({
          connection: { lastSampleAt: later },
          firmware: { currentVersion: '2.1.4', previousVersion: '2.2.0' },
        })
      })

    it('tells nothing new when it comes late', async () => {
      const board = await server.addBoard()
      const earlier = new Date(server.now.getTime() - 3_600_000)
      await server.send(board, sample(board, 9, { uptimeS: 500 }))
      await server.send(board, sample(board, 8, { uptimeS: 100, socPct: 50 }, earlier))
      expect(await server.rows(`select * from "package" where "controlPcbId" = '${board.id}' order by "id"`)).toMatchObject([
        {},
        { status: 'VALID', reason: ['OUT_OF_ORDER'] },
      ])
      expect(await shown(board)).toMatchObject({
        board: { uptimeS: 500 },
        connection: { lastSampleAt: server.now.toISOString() },
      })
      expect(await server.rows(`select * from "telemetry" where "controlPcbId" = '${board.id}'`)).toHaveLength(2)
    })

    it('brings the versions of a boot', async () => {
      const board = await server.addBoard()
      await server.send(
        board,
        frame(board, 'BOOT', 0, {
          firmwareVersion: '2.2.0',
          bootloaderVersion: '1.3.0',
          previousVersion: '2.1.3',
          resetReason: 'FW_UPDATE',
        }),
      )
      expect(await shown(board)).toMatchObject({
        firmware: { currentVersion: '2.2.0', previousVersion: '2.1.3', bootloaderVersion: '1.3.0' },
        board: { lastResetReason: 'FW_UPDATE' },
      })
    })

    it('brings the configuration to what it runs with, or says why not', async () => {
      const board = await server.addBoard()
      const configuration = { reportIntervalS: 10, socMinPct: 15 }
      await server.rows(
        `insert into "configuration" ("controlPcbId", "version", "desired") values ('${board.id}', 1, '${JSON.stringify(configuration)}')`,
      )
      const stateOf = async () => (await shown(board)).config
      await server.send(
        board,
        frame(board, 'CONFIG_ACK', 1, { configVersion: 1, result: 'REJECTED', rejectReason: 'out of flash' }),
      )
      expect(await stateOf()).toMatchObject({ state: 'REJECTED', rejectReason: 'out of flash' })
      await server.send(board, frame(board, 'CONFIG_ACK', 2, { configVersion: 1, result: 'APPLIED', configuration }))
      expect(await stateOf()).toEqual({
        state: 'IN_SYNC',
        desiredVersion: 1,
        reportedVersion: 1,
        requestedAt: expect.any(String),
        rejectReason: null,
      })
      await server.send(
        board,
        frame(board, 'CONFIG_ACK', 3, { result: 'REPORTED', configuration: { ...configuration, socMinPct: 20 } }),
      )
      expect(await stateOf()).toMatchObject({ state: 'DRIFTED' })
      expect(await server.rows(`select "reportIntervalS" from "boardState" where "controlPcbId" = '${board.id}'`)).toEqual([
        { reportIntervalS: 10 },
      ])
    })
  })

  describe('a version of a configuration that no server issues', () => {
    it.each(['APPLIED', 'REJECTED', 'REPORTED'] as const)(
      'is out of range when it is %s, and the frames beside it are taken',
      async (result) => {
        const board = await server.addBoard()
        const acknowledged = frame(board, 'CONFIG_ACK', 2, { configVersion: 2 ** 31, result })
        const { status, body, text } = await server.send(board, sample(board, 1), acknowledged)
        expect(status, text).toBe(202)
        expect(body).toMatchObject({ accepted: 2, invalid: 0 })
        expect(
          await server.rows(`select "status", "reason" from "package" where "controlPcbId" = '${board.id}' and "seq" = 2`),
        ).toEqual([{ status: 'PARTIAL', reason: ['VALUE_OUT_OF_RANGE'] }])
        expect(await server.rows(`select "reportedVersion" from "boardState" where "controlPcbId" = '${board.id}'`)).toEqual([
          { reportedVersion: null },
        ])
      },
    )
  })

  describe('who may send', () => {
    it('refuses a key that no board has, and stores nothing', async () => {
      const board = await server.addBoard()
      const before = await server.rows('select count(*) as "n" from "package"')
      expect(await server.send({ key: 'wrong' }, sample(board, 1))).toMatchObject({
        status: 403,
        body: { code: 'device-key.unknown' },
      })
      expect(await server.send({ key: '' }, sample(board, 1))).toMatchObject({ status: 403 })
      expect(await server.rows('select count(*) as "n" from "package"')).toEqual(before)
    })

    it("stores a frame with another uid as INVALID, and as no board's", async () => {
      const [board, other] = [await server.addBoard(), await server.addBoard()]
      expect((await server.send(board, sample(other, 1))).body).toMatchObject({ accepted: 0, invalid: 1, duplicate: 0 })
      const rows = await server.rows(`select * from "package" where "uid" = '${other.uid}'`)
      expect(rows).toMatchObject([{ controlPcbId: null, essId: null, status: 'INVALID', reason: ['UNKNOWN_BOARD'] }])
    })

    it("takes a frame from its own board although it came before with another board's key", async () => {
      const [board, other] = [await server.addBoard(), await server.addBoard()]
      const bytes = sample(board, 40)
      expect((await server.send(other, bytes)).body).toMatchObject({ accepted: 0, invalid: 1 })
      expect((await server.send(board, bytes)).body).toMatchObject({ accepted: 1, invalid: 0, duplicate: 0 })
      expect((await server.send(board, bytes)).body).toMatchObject({ accepted: 0, duplicate: 1 })
      const rows = await server.rows(
        `select "status", "controlPcbId" from "package" where "uid" = '${board.uid}' order by "id"`,
      )
      expect(rows).toEqual([
        { status: 'INVALID', controlPcbId: null },
        { status: 'VALID', controlPcbId: board.id },
      ])
    })

    it('gives a key once, and the one before it stops working', async () => {
      const board = await server.addBoard()
      const { status, body } = await server.call<{ deviceKey: string }>('POST', `control-pcb/${board.id}/device-key`)
      expect(status).toBe(201)
      expect((await server.send(board, sample(board, 1))).status).toBe(403)
      expect((await server.send({ key: body.deviceKey }, sample(board, 1))).status).toBe(202)
      expect(JSON.stringify(await server.rows('select * from "deviceKey"'))).not.toContain(body.deviceKey)
      expect((await server.call('POST', `control-pcb/${board.id}/device-key`, { role: 'moderator' })).status).toBe(403)
      expect((await server.call('POST', 'control-pcb/01890000-0000-7000-8000-000000000000/device-key')).status).toBe(404)
    })

    it('keeps a key that was made nowhere, not even for the one who asks with an Idempotency-Key', async () => {
      const board = await server.addBoard()
      const headers = { 'idempotency-key': board.id }
      const path = `control-pcb/${board.id}/device-key`
      const { body } = await server.call<{ deviceKey: string }>('POST', path, { headers })
      const tables = ['auditLog', 'idempotency', 'deviceKey']
      for (const table of tables)
        expect(JSON.stringify(await server.rows(`select * from "${table}"`))).not.toContain(body.deviceKey)
      expect(await server.rows(`select "action", "result" from "auditLog" where "entityId" = '${board.id}'`)).toEqual([
        { action: 'device-key', result: 'OK' },
      ])
      const again = await server.call<{ deviceKey: string }>('POST', path, { headers })
      expect(again.body.deviceKey).not.toBe(body.deviceKey)
    })

    it('opens to a demo key only while the demo is on', async () => {
      const board = await server.addBoard()
      await server.rows(`update "deviceKey" set "isDemo" = true where "controlPcbId" = '${board.id}'`)
      expect((await server.send(board, sample(board, 1))).status).toBe(403)
    })

    it('refuses another type, an empty body and a flood of frames', async () => {
      const board = await server.addBoard()
      const post = (payload: Buffer | object, type: string) =>
        server.app.inject({
          method: 'POST',
          url: '/api/ingest',
          headers: { 'content-type': type, 'x-device-key': board.key },
          payload,
        })
      expect((await post({}, 'application/json')).statusCode).toBe(415)
      expect((await post(Buffer.alloc(0), 'application/octet-stream')).statusCode).toBe(400)
      expect((await post(Buffer.alloc(1_100_000), 'application/octet-stream')).statusCode).toBe(413)
      const tiny = encodeFrame({ type: 'HEARTBEAT', seq: 1, uid: board.uid, time: server.now, values: {} })
      expect((await server.send(board, ...Array.from({ length: 5001 }, () => tiny))).status).toBe(413)
    })
  })
})
