import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import type { ConnectAnswer, ConnectStep } from '#schema/wire/connect.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const frames = '/api/device/v1/frames'

describe.each(oneEngine(import.meta.filename))('connecting a board on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine)
  })
  afterAll(() => server?.close())

  const answer = async ({ id }: Pick<TestBoard, 'id'>, role: Role = 'admin') =>
    (await server.call<ConnectAnswer>('GET', `control-pcb/${id}/connect`, { role })).body
  const steps = async (board: Pick<TestBoard, 'id'>) =>
    Object.fromEntries((await answer(board)).steps.map((step) => [step.code, step])) as Record<ConnectStep['code'], ConnectStep>
  const statesOf = async (board: Pick<TestBoard, 'id'>) => (await answer(board)).steps.map(({ state }) => state)
  const hintsOf = ({ hints }: ConnectStep) => hints.map(({ code }) => code)
  const post = (key: string, body: Buffer | string, contentType = 'application/octet-stream') =>
    server.app.inject({
      method: 'POST',
      url: frames,
      headers: { 'x-device-key': key, 'content-type': contentType },
      payload: body,
    })
  let seq = 0
  const sample = (uid: string, time = server.now) => telemetryFrame({}, { seq: ++seq, time, uid })
  const newKey = async ({ id }: TestBoard) => String((await server.call('POST', `control-pcb/${id}/device-key`)).body.deviceKey)

  it('begins with a key, and says so while there is none', async () => {
    const made = await server.call<{ id: string }>('POST', 'control-pcb', {
      body: { code: 'PCB-00C0FFEE', uid: '0000000C0FFE', hardwareRevision: 'A1' },
    })
    expect(await statesOf(made.body)).toEqual(['FAILED', 'WAITING', 'WAITING', 'WAITING', 'WAITING'])
    expect(hintsOf((await steps(made.body)).KEY)).toEqual(['NO_KEY'])
    await server.call('POST', `control-pcb/${made.body.id}/device-key`)
    expect((await steps(made.body)).KEY).toMatchObject({ state: 'DONE', at: server.now.toISOString(), hints: [] })
  })

  it('goes on by what the board sends, up to the configuration that it takes', async () => {
    const board = await server.addBoard()
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired")
      values ('${board.id}', 1, '{"reportIntervalS": 30}')`)
    expect(hintsOf((await steps(board)).CONTACT)).toContain('NOTHING_CAME')
    await server.app.inject({ url: '/api/device/v1/state', headers: { 'x-device-key': board.key } })
    expect(hintsOf((await steps(board)).CONTACT)).toEqual(['NO_FRAME'])
    const heartbeat = Buffer.from((await answer(board)).frameHex, 'hex')
    expect((await post(board.key, heartbeat)).statusCode).toBe(202)
    expect(await statesOf(board)).toEqual(['DONE', 'DONE', 'DONE', 'WAITING', 'WAITING'])
    expect(hintsOf((await steps(board)).TELEMETRY)).toEqual(['NO_SAMPLE'])
    await post(board.key, sample(board.uid))
    expect((await steps(board)).CONFIGURATION.hints).toMatchObject([{ code: 'PENDING' }])
    const values = { configVersion: 1, result: 'APPLIED', configuration: { reportIntervalS: 30 } }
    await post(board.key, encodeFrame({ type: 'CONFIG_ACK', seq: ++seq, uid: board.uid, time: server.now, values }))
    expect(await statesOf(board)).toEqual(['DONE', 'DONE', 'DONE', 'DONE', 'DONE'])
    expect(await answer(board)).toMatchObject({ keyUsedAt: server.now.toISOString() })
  })

  it('names a key that was of the board before, and an address from which a key of no board came', async () => {
    const board = await server.addBoard()
    await newKey(board)
    expect((await post(board.key, sample(board.uid))).statusCode).toBe(403)
    expect((await steps(board)).KEY.hints).toEqual([
      { code: 'FORMER_KEY', values: { at: server.now.toISOString(), ip: '127.0.0.1' } },
    ])
    expect((await post('mistyped', sample(board.uid))).statusCode).toBe(403)
    const { hints } = (await steps(board)).CONTACT
    expect(hints).toContainEqual({
      code: 'STRANGE_KEY',
      values: { at: server.now.toISOString(), ip: '127.0.0.1', tries: expect.any(Number) },
    })
    const seen = await answer(board, 'service_engineer')
    expect(JSON.stringify(seen)).not.toContain('127.0.0.1')
    expect(JSON.stringify(seen)).toContain('127.0.0.*')
  })

  it('tells a wrong uid from a wrong key', async () => {
    const [one, other] = [await server.addBoard(), await server.addBoard()]
    await post(one.key, sample(other.uid))
    expect((await steps(one)).CONTACT).toMatchObject({
      state: 'FAILED',
      hints: [{ code: 'OTHER_UID', values: { uid: one.uid, otherUid: other.uid } }],
    })
    expect((await steps(other)).CONTACT).toMatchObject({ state: 'FAILED', hints: [{ code: 'KEY_OF_OTHER' }] })
    server.pass(60)
    await post(one.key, sample(one.uid))
    expect((await steps(one)).CONTACT).toMatchObject({ state: 'DONE', hints: [] })
  })

  it('says which call was refused, which frames, and that the clock is off', async () => {
    const board = await server.addBoard()
    expect((await post(board.key, '{}', 'application/json')).statusCode).toBe(415)
    expect((await steps(board)).CONTACT.hints).toContainEqual({
      code: 'REFUSED',
      values: { at: server.now.toISOString(), refusal: 'wrong-media-type' },
    })
    server.pass(1)
    const damaged = sample(board.uid)
    damaged.writeUInt8(damaged.readUInt8(40) ^ 1, 40)
    await post(board.key, damaged)
    expect((await steps(board)).TELEMETRY).toMatchObject({
      state: 'FAILED',
      hints: [{ code: 'INVALID', values: { reason: 'CRC_MISMATCH', count: 1 } }],
    })
    await post(board.key, sample(board.uid, new Date(server.now.getTime() + 3_600_000)))
    expect((await steps(board)).CLOCK).toMatchObject({
      state: 'FAILED',
      hints: [{ code: 'CLOCK_AHEAD', values: { offsetS: 3_600 } }],
    })
  })

  it('is for the staff of the fleet, and forgets a board with its record', async () => {
    const board = await server.addBoard({ ess: false })
    expect((await server.call('GET', `control-pcb/${board.id}/connect`, { role: 'client' })).status).toBe(403)
    await newKey(board)
    await server.call('DELETE', `control-pcb/${board.id}`)
    for (const table of ['deviceKey', 'formerKey'])
      expect(await server.rows(`select 1 from "${table}" where "controlPcbId" = '${board.id}'`)).toEqual([])
  })
})
