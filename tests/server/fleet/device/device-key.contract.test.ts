import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callAs, openLine } from '#tests/support/device-line.ts'

describe.each(oneEngine(import.meta.filename))('the key of a board on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openLine(engine)
  })
  afterAll(() => server.close())

  const look = async (key: string) => (await callAs(server, key, 'state')).status
  const rotate = async (key: string) => {
    const { status, body } = await callAs(server, key, 'key', { method: 'POST' })
    return { status, key: String(body.key), code: body.code }
  }

  it('is changed by the board: both work until the new one is used, and the old one a day longer', async () => {
    const board = await server.addBoard()
    const next = await rotate(board.key)
    expect(next.status).toBe(201)
    server.pass(3 * 86_400)
    expect([await look(board.key), await look(next.key), await look(board.key)]).toEqual([200, 200, 200])
    expect(await rotate(board.key)).toMatchObject({ status: 409, code: 'device-key.replaced' })
    server.pass(86_400 - 60)
    expect(await look(board.key)).toBe(200)
    server.pass(120)
    expect([await look(board.key), await look(next.key)]).toEqual([403, 200])
  })

  it('is kept nowhere, and its change is in the audit log', async () => {
    const board = await server.addBoard()
    const next = await rotate(board.key)
    for (const table of ['auditLog', 'idempotency', 'deviceKey'])
      expect(JSON.stringify(await server.rows(`select * from "${table}"`))).not.toContain(next.key)
    const [entry] = await server.rows(`select "action", "actorId" from "auditLog" where "entityId" = '${board.id}'`)
    expect(entry).toEqual({ action: 'rotate-key', actorId: null })
  })

  it('has one open change: of two that were asked for only the last one works', async () => {
    const board = await server.addBoard()
    const [lost, next] = [await rotate(board.key), await rotate(board.key)]
    expect([await look(lost.key), await look(next.key)]).toEqual([403, 200])
  })

  it('is changed a few times an hour at most, and keeps working when it is asked for more often', async () => {
    const board = await server.addBoard()
    const made: string[] = []
    for (let times = 0; times < 6; times += 1) {
      const next = await rotate(board.key)
      expect(next.status).toBe(201)
      made.push(next.key)
    }
    server.pass(60)
    const refused = await callAs(server, board.key, 'key', { method: 'POST' })
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'too-many', String(59 * 60)])
    const entries = await server.rows(`select 1 from "auditLog" where "entityId" = '${board.id}'`)
    expect(entries).toHaveLength(6)
    const other = await server.addBoard()
    expect((await rotate(other.key)).status).toBe(201)
    expect([await look(board.key), await look(made.at(-1) ?? '')]).toEqual([200, 200])
    expect((await rotate(made.at(-1) ?? '')).status).toBe(429)
    server.pass(59 * 60)
    expect((await rotate(made.at(-1) ?? '')).status).toBe(201)
  })

  it('works on when an admin makes the next one, until the board uses that, and a day longer', async () => {
    const board = await server.addBoard()
    const next = async () => {
      const { status, body } = await server.call<{ deviceKey: string }>('POST', `control-pcb/${board.id}/next-key`)
      return { status, key: body.deviceKey }
    }
    const [lost, used] = [await next(), await next()]
    expect(lost.status).toBe(201)
    server.pass(3 * 86_400)
    expect([await look(board.key), await look(lost.key)]).toEqual([200, 403])
    expect([await look(used.key), await look(board.key)]).toEqual([200, 200])
    server.pass(86_400 + 60)
    expect([await look(board.key), await look(used.key)]).toEqual([403, 200])
    for (const table of ['auditLog', 'idempotency', 'deviceKey', 'formerKey'])
      expect(JSON.stringify(await server.rows(`select * from "${table}"`))).not.toContain(used.key)
    expect((await server.call('POST', `control-pcb/${board.id}/next-key`, { role: 'moderator' })).status).toBe(403)
  })

  it('is not changed by the board while the next one of an admin waits, and is again from its first use on', async () => {
    const board = await server.addBoard()
    const own = await rotate(board.key)
    const { body } = await server.call<{ deviceKey: string }>('POST', `control-pcb/${board.id}/next-key`)
    expect(await look(own.key)).toBe(403)
    expect(await rotate(board.key)).toMatchObject({ status: 409, code: 'device-key.prepared' })
    expect([await look(board.key), await look(body.deviceKey)]).toEqual([200, 200])
    const [key] = await server.rows(`select "createdBy", "nextBy" from "deviceKey" where "controlPcbId" = '${board.id}'`)
    expect(key).toEqual({ createdBy: await server.userId('admin'), nextBy: null })
    expect(await rotate(board.key)).toMatchObject({ status: 409, code: 'device-key.replaced' })
    const next = await rotate(body.deviceKey)
    expect([next.status, await look(next.key)]).toEqual([201, 200])
  })

  it('is the first one where a board had none', async () => {
    const made = await server.call<{ id: string }>('POST', 'control-pcb', {
      body: { code: 'PCB-00F1257A', uid: '00000F1257AB', hardwareRevision: 'A1' },
    })
    const { body } = await server.call<{ deviceKey: string }>('POST', `control-pcb/${made.body.id}/next-key`)
    expect(body.deviceKey).toMatch(/^[A-Za-z0-9][\w-]{42}$/)
    expect(await look(body.deviceKey)).toBe(200)
  })

  it('ends at once, with the next one, when an admin makes another', async () => {
    const board = await server.addBoard()
    const next = await rotate(board.key)
    const { body } = await server.call<{ deviceKey: string }>('POST', `control-pcb/${board.id}/device-key`)
    expect([await look(board.key), await look(next.key), await look(body.deviceKey)]).toEqual([403, 403, 200])
  })
})
