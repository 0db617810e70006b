import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverSettings } from '#resources/fleet/server-settings.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { qualities } from '#server/fleet/telemetry/sample-columns.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callAs, openLine } from '#tests/support/device-line.ts'

describe.each(oneEngine(import.meta.filename))('a board at the device API on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openLine(engine)
  })
  afterAll(() => server.close())

  const frame = ({ uid }: TestBoard, seq: number, values = {}) => telemetryFrame(values, { seq, time: server.now, uid })
  const damaged = (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(30) ^ 1, 30)
    return copy
  }
  const send = ({ key }: TestBoard, frames: Buffer[], headers = {}) =>
    callAs(server, key, 'frames', { body: Buffer.concat(frames), headers })
  const desired = { reportIntervalS: 30, socMinPct: 15, warningOverrides: [], rawCaptureUntil: null, maintenanceWindow: null }
  const wish = ({ id }: TestBoard, version: number, more = {}) =>
    server.rows(`insert into "configuration" ("controlPcbId", "version", "desired")
      values ('${id}', ${version}, '${JSON.stringify({ ...desired, ...more })}')`)
  const config = async ({ id }: TestBoard) => (await server.call('GET', `control-pcb/${id}`)).body.config

  it('hears with its frames what was refused, what time it is, and when to report next', async () => {
    const board = await server.addBoard()
    const { status, body } = await send(board, [
      frame(board, 1),
      damaged(frame(board, 2)),

      frame(board, 4),
      Buffer.from('noise'),
    ])
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        accepted: 2,
        invalid: 2,
        duplicate: 0,
        refused: [
          { index: 1, reason: 'CRC_MISMATCH' },
          { index: 3, reason: 'BAD_MAGIC' },
        ],
        time: server.now.getTime(),
        news: {},
        nextReportS: 60,
      },
    })
  })

  it('is guarded against being shown as a page, and pays for no other header of pages, refused or not', async () => {
    const board = await server.addBoard()
    const answers = [await send(board, [frame(board, 1)]), await callAs(server, 'unknown-key', 'state')]
    expect(answers.map(({ status }) => status)).toEqual([202, 403])
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      const bytes = [...headers].reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0)
      expect(bytes).toBeLessThan(500)
    }
  })

  it('names at most fifty refused frames', async () => {
    const board = await server.addBoard()
    const frames = Array.from({ length: 60 }, (_, seq) => damaged(frame(board, seq)))
    const { body } = await send(board, frames)
    expect(body).toMatchObject({ invalid: 60 })
    expect(body.refused).toHaveLength(50)
  })

  it('tells its clock by X-Sent-At, and not by the age of what it had kept', async () => {
    const board = await server.addBoard()
    const old = telemetryFrame({}, { seq: 1, time: new Date(server.now.getTime() - 86_400_000), uid: board.uid })
    await send(board, [old], { 'x-sent-at': String(server.now.getTime() - 2_500) })
    expect((await server.call('GET', `control-pcb/${board.id}`)).body.clockOffsetMs).toBe(-2_500)
    await send(board, [frame(board, 2)], { 'x-sent-at': 'noon' })
    expect((await server.call('GET', `control-pcb/${board.id}`)).body.clockOffsetMs).toBe(0)
  })

  it('stores what it kept for weeks at its own time when its clock is right, and at its arrival when nobody knows', async () => {
    const [proven, unknown] = [await server.addBoard(), await server.addBoard()]
    const at = new Date(server.now.getTime() - 40 * 86_400_000)
    const old = ({ uid }: TestBoard) => telemetryFrame({}, { seq: 1, time: at, uid })
    const stored = async ({ id }: TestBoard) =>
      (
        await server.rows(`select "t"."ts", "t"."quality", "p"."status", "p"."reason" from "telemetry" "t"
        join "package" "p" on "p"."id" = "t"."packageId"::text where "t"."controlPcbId" = '${id}'`)
      )[0]
    await send(proven, [old(proven)], { 'x-sent-at': String(server.now.getTime() - 1_000) })
    expect(await stored(proven)).toMatchObject({
      ts: at.toISOString(),
      quality: qualities.indexOf('GOOD'),
      status: 'VALID',
      reason: [],
    })
    await send(unknown, [old(unknown)])
    expect(await stored(unknown)).toMatchObject({
      quality: qualities.indexOf('ESTIMATED'),
      status: 'PARTIAL',
      reason: ['CLOCK_PAST'],
    })
    const skewed = await server.addBoard()
    await send(skewed, [old(skewed)], { 'x-sent-at': String(server.now.getTime() - 3_600_000) })
    expect(await stored(skewed)).toMatchObject({ quality: qualities.indexOf('ESTIMATED') })

    await rollUp(server.database, server.now)
    const hours = await server.rows(`select "socPctAvg" from "telemetry1h" where "controlPcbId" = '${proven.id}'`)
    expect(hours).toEqual([{ socPctAvg: 63.4 }])

    const [packet] = await server.rows<{ id: string }>(`select "id" from "package" where "controlPcbId" = '${proven.id}'`)
    expect((await server.call('POST', `package/${packet?.id}/reprocess`)).status).toBeLessThan(300)
    expect(await stored(proven)).toMatchObject({
      ts: at.toISOString(),
      quality: qualities.indexOf('GOOD'),
      status: 'VALID',
      reason: [],
    })
  })

  it('is shown what its frames are read as, and nothing of them is kept', async () => {
    const board = await server.addBoard()
    await send(board, [frame(board, 7)])
    const body = Buffer.concat([frame(board, 7), frame(board, 9, { socPct: 63.4 })])
    const explained = await callAs(server, board.key, 'frames?explain', { body })
    expect(explained.status).toBe(200)
    expect(explained.body).toMatchObject({
      frames: [
        { index: 0, status: 'DUPLICATE' },
        { index: 1, status: 'VALID', type: 'TELEMETRY', seq: 9, reasons: [{ code: 'SEQ_GAP' }] },
      ],
    })
    expect(JSON.stringify(explained.body)).toContain('"name":"socPct","offset":')
    expect(await server.rows(`select "seq" from "package" where "controlPcbId" = '${board.id}'`)).toEqual([{ seq: 7 }])
    const many = Buffer.concat(Array.from({ length: 101 }, (_, seq) => frame(board, seq)))
    expect((await callAs(server, board.key, 'frames?explain', { body: many })).status).toBe(413)
  })

  it('gets its configuration without what the server itself obeys, once, and is in sync when it has applied it', async () => {
    const board = await server.addBoard()
    await wish(board, 1)
    const told = await send(board, [frame(board, 1)])
    expect(told.body.news).toEqual({ configuration: 1 })
    const state = await callAs(server, board.key, 'state')
    expect(state.status).toBe(200)
    expect(state.body).toEqual({
      time: server.now.getTime(),
      nextReportS: 60,
      configuration: { version: 1, desired: { reportIntervalS: 30, socMinPct: 15 } },
      update: null,
    })
    expect(
      Object.keys(Object(Object(state.body.configuration).desired)).filter((name) =>
        serverSettings.some((own) => own === name),
      ),
    ).toEqual([])
    const tag = String(state.headers.get('etag'))
    server.pass(5)
    expect(await callAs(server, board.key, 'state', { headers: { 'if-none-match': tag } })).toMatchObject({ status: 304 })
    const applied = { version: 1, result: 'APPLIED', reported: { reportIntervalS: 30, socMinPct: 15 } }
    expect((await callAs(server, board.key, 'configuration', { body: applied })).status).toBe(204)
    expect(await config(board)).toMatchObject({ state: 'IN_SYNC', reportedVersion: 1 })
    const after = await callAs(server, board.key, 'state', { headers: { 'if-none-match': tag } })
    expect(after).toMatchObject({ status: 200, body: { configuration: null, nextReportS: 30 } })
    expect((await send(board, [frame(board, 2)])).body).toMatchObject({ news: {}, nextReportS: 30 })
  })

  it('applies without saying what it runs with, refuses with a reason, and says what was set on site', async () => {
    const board = await server.addBoard()
    await wish(board, 1)
    expect((await callAs(server, board.key, 'configuration', { body: { version: 1, result: 'APPLIED' } })).status).toBe(204)
    expect(await config(board)).toMatchObject({ state: 'IN_SYNC' })
    await wish(board, 2, { socMinPct: 20 })
    const refusal = { version: 2, result: 'REJECTED', reason: 'socMinPct not supported' }
    expect((await callAs(server, board.key, 'configuration', { body: refusal })).status).toBe(204)
    expect(await config(board)).toMatchObject({ state: 'REJECTED', rejectReason: 'socMinPct not supported' })
    expect((await callAs(server, board.key, 'state')).body.configuration).toMatchObject({ version: 2 })
    expect((await send(board, [frame(board, 1)])).body.news).toEqual({})
    const [kept] = await server.rows(
      `select "outcome", "outcomeReason" from "configuration" where "controlPcbId" = '${board.id}' and "version" = 2`,
    )
    expect(kept).toEqual({ outcome: 'REJECTED', outcomeReason: 'socMinPct not supported' })
    await wish(board, 3)
    const local = { version: 3, result: 'REPORTED', reported: { reportIntervalS: 30, socMinPct: 5 } }
    expect((await callAs(server, board.key, 'configuration', { body: local })).status).toBe(204)
    expect(await config(board)).toMatchObject({ state: 'DRIFTED' })
  })

  it('is told what is wrong with its report of a configuration', async () => {
    const board = await server.addBoard()
    await wish(board, 1)
    const call = (body: object) => callAs(server, board.key, 'configuration', { body })
    expect(await call({ version: 9, result: 'APPLIED' })).toMatchObject({ status: 404, body: { code: 'not-found' } })
    const { status, body } = await call({ version: -1, result: 'MAYBE', more: 1 })
    expect({ status, fields: Object.keys(Object(body.fields)).sort() }).toEqual({
      status: 400,
      fields: ['more', 'result', 'version'],
    })
    expect((await call({ version: 1, result: 'REPORTED', reported: { text: 'a\u0000b' } })).status).toBe(400)
    expect((await call({ version: 1, result: 'REPORTED', reported: { text: 'x'.repeat(20_000) } })).status).toBe(413)
  })

  it('opens nothing to a stranger or with the key of a retired board', async () => {
    const board = await server.addBoard()
    const calls: [string, object | undefined][] = [
      ['frames', frame(board, 1)],
      ['state', undefined],
      ['configuration', { version: 1, result: 'APPLIED' }],
      [`updates/${board.id}`, { state: 'DOWNLOADING' }],
      [`firmware/${board.id}`, undefined],
    ]
    const statuses = async (key: string) =>
      Promise.all(calls.map(async ([path, body]) => (await callAs(server, key, path, body ? { body } : {})).body.code))
    expect(await statuses('nobody-has-this')).toEqual(calls.map(() => 'device-key.unknown'))
    expect((await callAs(server, 'nobody-has-this', 'key', { method: 'POST' })).body.code).toBe('device-key.unknown')
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${board.id}'`)
    expect(await statuses(board.key)).toEqual(calls.map(() => 'device-key.unknown'))
  })
})
