import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prunePackages } from '#server/app/prune-packages.ts'
import { readConfig } from '#server/base/config.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

type Package = { id: string; status: string; reason: string[]; raw: string; truncated: boolean; isValid: boolean }

describe.each(oneEngine(import.meta.filename))('the capture of raw packets on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    board = await server.addBoard()
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt")
      values ('${board.id}', 1, '{"reportIntervalS": 60, "rawCaptureUntil": null}', now())`)
  })

  const frame = (seq: number) => telemetryFrame({}, { seq, time: server.now, uid: board.uid })
  const long = () => Buffer.alloc(5_000, 1)
  const packages = async () =>
    (await server.call<Package[]>('GET', `package?controlPcbId=${board.id}&_sort=receivedAt,id&_order=asc,asc`)).body
  const rawOf = async ({ id }: Package) => (await server.call<Package>('GET', `package/${id}`)).body
  const capture = (body: object = { minutes: '60' }, role: 'admin' | 'service_engineer' | 'client' = 'admin') =>
    server.call('PUT', `control-pcb/${board.id}/capture-raw`, { body, role })
  const shown = async () => (await server.call('GET', `control-pcb/${board.id}`)).body

  it('keeps packets whole and those that are sent again as well, until it ends by itself', async () => {
    const same = frame(1)
    await server.send(board, same, same, long())
    expect((await packages()).map(({ status }) => status)).toEqual(['VALID', 'INVALID'])
    expect((await capture()).status).toBe(200)
    server.pass(60)
    expect((await server.send(board, same, long())).body).toMatchObject({ accepted: 0, invalid: 1, duplicate: 1 })
    const kept = (await packages()).slice(2)
    expect(kept.map(({ status }) => status).toSorted()).toEqual(['DUPLICATE', 'INVALID'])
    const again = kept.find(({ status }) => status === 'DUPLICATE')
    expect(again).toMatchObject({
      reason: ['DUPLICATE_SEQ'],
      reasons: [{ code: 'DUPLICATE_SEQ', expected: '1×', actual: '2×' }],
      isValid: true,
    })
    expect(again && (await rawOf(again)).raw).toBe(same.toString('hex'))
    const whole = kept.find(({ status }) => status === 'INVALID')
    expect(whole && (await rawOf(whole))).toMatchObject({ truncated: false, raw: long().toString('hex') })
    server.pass(3_600)
    await server.send(board, same, long())
    const [after, ...others] = (await packages()).slice(4)
    expect(others).toEqual([])
    expect(after && (await rawOf(after))).toMatchObject({ status: 'INVALID', truncated: true })
  })

  it('takes what came before it for the same as what comes again after it', async () => {
    const same = frame(1)
    await capture()
    await server.send(board, same)
    await server.call('PUT', `control-pcb/${board.id}/stop-capture`)
    expect((await server.send(board, same)).body).toMatchObject({ accepted: 0, invalid: 0, duplicate: 1 })
    expect((await packages()).map(({ status }) => status)).toEqual(['VALID'])
  })

  it('says nothing twice: a packet that came again changes neither samples nor the board', async () => {
    const same = frame(1)
    await capture()
    await server.send(board, same, same)
    const samples = await server.rows(`select 1 from "telemetry" where "controlPcbId" = '${board.id}'`)
    expect(samples).toHaveLength(1)
    expect(await shown()).toMatchObject({ quality24h: { valid: 1, duplicate: 1, missed: 0 } })
    const [, again] = await packages()
    expect(await server.call('POST', `package/${again?.id}/reprocess`)).toMatchObject({
      status: 409,
      body: { code: 'action.wrong-state' },
    })
    server.pass(31 * 86_400)
    await prunePackages(server.database, readConfig({}), server.now)
    expect(await packages()).toEqual([])
  })

  it('is a version of the configuration, a day at most, with its end on the board', async () => {
    expect((await capture({ minutes: '2880' })).status).toBe(400)
    expect((await capture({ minutes: '1440', reason: 'bit errors' })).status).toBe(200)
    const until = new Date(server.now.getTime() + 86_400_000).toISOString()
    expect(await shown()).toMatchObject({ capturingUntil: until, config: { desiredVersion: 2, state: 'PENDING' } })
    expect((await server.call('GET', `control-pcb/${board.id}/configuration`)).body).toMatchObject({
      desired: { reportIntervalS: 60, rawCaptureUntil: until },
      history: [{ version: 2, reason: 'bit errors' }, { version: 1 }],
    })
    expect(await capture()).toMatchObject({ status: 409, body: { code: 'action.wrong-state' } })
    expect((await server.call('PUT', `control-pcb/${board.id}/stop-capture`)).body).toMatchObject({ capturingUntil: null })
    expect(await server.call('PUT', `control-pcb/${board.id}/stop-capture`)).toMatchObject({
      status: 409,
      body: { code: 'action.wrong-state' },
    })
  })

  it('is asked for by engineers only where they serve, and by nobody outside the staff', async () => {
    expect((await capture({ minutes: '15' }, 'client')).status).toBe(403)
    expect((await capture({ minutes: '15' }, 'service_engineer')).status).toBe(403)
    const [engineer] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = 'service_engineer' limit 1`)
    await server.rows(
      `insert into "service_engineer" ("id", "userId", "essId", "scope", "state") values ('${board.id}', '${engineer?.id}', '${board.essId}', 'FULL', 'ACTIVE')`,
    )
    expect((await capture({ minutes: '15' }, 'service_engineer')).status).toBe(200)
  })
})
