import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callAs, openLine } from '#tests/support/device-line.ts'
import { withTrigger } from '#tests/support/with-trigger.ts'

describe.each(oneEngine(import.meta.filename))('keys of many boards on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openLine(engine)
  })
  afterAll(() => server.close())

  const look = async (key: string) => (await callAs(server, key, 'state')).status
  const ask = (body: object, more = {}) => server.call('POST', 'control-pcb/device-keys', { body, ...more })
  const rowsOf = (text: string) =>
    text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
  const keyOf = (text: string, uid: string) => rowsOf(text).find((row) => row[1] === uid)?.[2] ?? ''

  it('are handed out once as a table; the present ones work until the new ones are used, and a day longer', async () => {
    const boards = [await server.addBoard(), await server.addBoard()] as const
    const { status, text, headers } = await ask({ ids: boards.map(({ id }) => id) })
    expect(status).toBe(201)
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' })
    expect(rowsOf(text)).toEqual([
      ['code', 'uid', 'deviceKey'],
      ...boards.map(({ uid }) => [`PCB-${uid}`, uid, expect.stringMatching(/^[A-Za-z0-9][\w-]{42}$/)]),
    ])
    const [first, second] = boards
    const next = keyOf(text, first.uid)
    expect([await look(first.key), await look(next), await look(second.key)]).toEqual([200, 200, 200])
    server.pass(86_400 + 60)
    expect([await look(first.key), await look(next), await look(second.key)]).toEqual([403, 200, 200])
    for (const table of ['auditLog', 'idempotency', 'deviceKey', 'formerKey'])
      expect(JSON.stringify(await server.rows(`select * from "${table}"`))).not.toContain(next)
    const noted = await server.rows(
      `select "action" from "auditLog" where "entityId" in ('${first.id}', '${second.id}') order by "at"`,
    )
    expect(noted).toEqual([{ action: 'next-key' }, { action: 'next-key' }])
  })

  it('end the present ones at once when that is asked for', async () => {
    const board = await server.addBoard()
    const { text } = await ask({ ids: [board.id], replace: true })
    expect([await look(board.key), await look(keyOf(text, board.uid))]).toEqual([403, 200])
  })

  it('are made for a filter of the list, without retired boards, and for boards that had none', async () => {
    const boards = [await server.addBoard(), await server.addBoard(), await server.addBoard()] as const
    const [, bare, retired] = boards
    const ids = boards.map(({ id }) => `'${id}'`).join(', ')
    await server.rows(`update "control_pcb" set "hardwareRevision" = 'Z9' where "id" in (${ids})`)
    await server.rows(`delete from "deviceKey" where "controlPcbId" = '${bare.id}'`)
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${retired.id}'`)
    const { status, text } = await ask({ filter: { hardwareRevision: 'Z9' } })
    expect(status).toBe(201)
    expect(rowsOf(text).map(([code]) => code)).toEqual(['code', `PCB-${boards[0].uid}`, `PCB-${bare.uid}`])
    expect(await look(keyOf(text, bare.uid))).toBe(200)
  })

  it('are noted board by board in the audit log, in few statements however many boards there are', async () => {
    await server.rows(`insert into "control_pcb" ("id", "code", "uid", "hardwareRevision", "lifecycle")
      select gen_random_uuid()::text, 'PCB-' || lpad("n"::text, 6, '0'), lpad("n"::text, 12, '0'), 'Z8', 'ACTIVE' from generate_series(1, 1200) "n"`)
    await server.rows(`create table "statement" ("at" timestamptz default clock_timestamp())`)
    const counted = {
      table: 'auditLog',
      at: 'after insert',
      each: 'statement',
      act: 'insert into "statement" default values;',
    } as const
    const { status, text } = await withTrigger(server, counted, () => ask({ filter: { hardwareRevision: 'Z8' } }))
    expect([status, rowsOf(text).length]).toEqual([201, 1_201])
    const statements = await server.rows('select 1 from "statement"')
    expect(statements.length).toBeLessThan(10)
    const entries =
      await server.rows(`select "l"."action", "l"."entityType", "l"."actorId", "l"."role", "l"."result", "l"."requestId", "l"."ip", count(*)::int as "count"
      from "auditLog" "l" join "control_pcb" "b" on "b"."id" = "l"."entityId" and "b"."code" = "l"."code"
      where "b"."hardwareRevision" = 'Z8' and "l"."before" is null and "l"."after" is null group by 1, 2, 3, 4, 5, 6, 7`)
    const facts = { actorId: await server.userId('admin'), role: 'admin', requestId: expect.any(String), ip: '127.0.0.1' }
    expect(entries).toEqual([{ action: 'next-key', entityType: 'control-pcb', result: 'OK', ...facts, count: 1_200 }])
  })

  it('are refused as a whole for a retired or an unknown board, for a fault of the filter, and for neither or both', async () => {
    const [board, retired] = [await server.addBoard(), await server.addBoard()]
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${retired.id}'`)
    const before = await server.rows(`select * from "deviceKey" order by 1`)
    const refusals: [object, string][] = [
      [{ ids: [board.id, retired.id] }, 'ids'],
      [{ ids: [board.id, '0199f0c4-0000-7000-8000-000000000000'] }, 'ids'],
      [{ filter: { nothing: 'A' } }, 'nothing'],
      [{ ids: [board.id], filter: {} }, 'ids'],
      [{}, 'ids'],
    ]
    for (const [body, path] of refusals) {
      const { status, body: answer } = await ask(body)
      expect({ status, fields: Object.keys(Object(answer.fields)) }).toEqual({ status: 400, fields: [path] })
    }
    expect(await server.rows(`select * from "deviceKey" order by 1`)).toEqual(before)
  })

  it('are for admins who have confirmed who they are a short while ago', async () => {
    const { id, key } = await server.addBoard()
    expect((await ask({ ids: [id] }, { role: 'moderator' })).status).toBe(403)
    await server.token()
    server.pass(480)
    await server.rows(`update "session" set "confirmedAt" = '2020-01-01'`)
    expect(await ask({ ids: [id] })).toMatchObject({ status: 403, body: { code: 'confirmation-needed' } })
    expect(await look(key)).toBe(200)
    expect(await server.rows(`select "nextHash" from "deviceKey" where "controlPcbId" = '${id}'`)).toEqual([{ nextHash: null }])
  })
})
