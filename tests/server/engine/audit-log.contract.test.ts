import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

type Entry = Record<string, unknown>

describe.each(engines)('the audit log on $name', (engine) => {
  let server: LiveServer
  let admin: { id: string; token: string }
  let moderator: typeof admin
  let engineer: typeof admin
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine))
    admin = await server.signedIn({ email: 'admin@example.com', role: 'admin' })
    moderator = await server.signedIn({ email: 'moderator@example.com', role: 'moderator' })
    engineer = await server.signedIn({ email: 'engineer@example.com', role: 'service_engineer' })
  })
  afterAll(() => server.close())

  const list = async (token: string, query = '') => {
    const { status, text, headers } = await server.call('GET', `audit-log?_end=200&${query}`, { token })
    return { status, total: Number(headers['x-total-count']), entries: status === 200 ? (JSON.parse(text) as Entry[]) : [] }
  }
  const makeUser = async (email: string, body: object = {}) => {
    const user = { email, role: 'installer', firstName: 'A', lastName: 'B', ...body }
    return server.call('POST', 'user', { token: moderator.token, body: user })
  }

  it('tells who did what to which record, newest first, with before and after', async () => {
    const { body } = await makeUser('made@example.com')
    await server.call('PUT', `user/${body.id}`, {
      token: admin.token,
      body: { version: 1, firstName: 'Bea', createdBy: undefined },
    })
    const { entries, total } = await list(admin.token, `entityType=user&entityId=${body.id}`)
    expect(total).toBe(2)
    expect(entries.map(({ action, role, actorId, result }) => [action, role, actorId, result])).toEqual([
      ['update', 'admin', admin.id, 'OK'],
      ['create', 'moderator', moderator.id, 'OK'],
    ])
    expect(entries[0]).toMatchObject({
      actor: { id: admin.id, email: 'admin@example.com' },
      code: 'made@example.com',
      ip: '127.0.0.1',
    })
    expect(entries[0]).toMatchObject({ before: { firstName: 'A' }, after: { firstName: 'Bea' } })
    const whole = await server.call('GET', `audit-log/${entries[0]?.id}`, { token: admin.token })
    expect(whole.body).toMatchObject({ before: { firstName: 'A' }, after: { firstName: 'Bea' } })
    expect(await list(admin.token, `actorId=${moderator.id}&action=create&result=OK&at_gte=2000-01-01`)).toMatchObject({
      total: 1,
    })
    expect(await list(admin.token, 'at_lte=2000-01-01')).toMatchObject({ total: 0 })
    expect(await list(admin.token, 'q=made@exam')).toMatchObject({ total: 3 })
  })

  it('counts an entry as soon as it shows it: the total of a history is not older than its rows', async () => {
    const { body } = await makeUser('counted@example.com')
    const history = () => list(admin.token, `entityType=user&entityId=${body.id}`)
    const changed = () => server.call('PUT', `user/${body.id}`, { token: admin.token, body: { version: 1, firstName: 'Bea' } })
    expect(await history()).toMatchObject({ total: 1 })
    expect((await changed()).status).toBe(200)
    const { total, entries } = await history()
    expect([total, entries.length]).toEqual([2, 2])
  })

  it('shows moderators what people below admins did, engineers their own, others nothing', async () => {
    await server.call('GET', 'user', { token: engineer.token })
    await server.login('nobody@example.com', 'wrong-password-1')
    const rolesOf = (entries: readonly Entry[]) => new Set(entries.map(({ role }) => role))
    const all = await list(admin.token)
    const seen = await list(moderator.token)
    expect(rolesOf(all.entries)).toContain('admin')
    expect(rolesOf(all.entries)).toContain(null)
    expect([...rolesOf(seen.entries)].toSorted()).toEqual(['moderator', 'service_engineer'])
    expect(seen.entries[0]).not.toHaveProperty('ip')
    expect(seen.total).toBe(all.entries.filter(({ role }) => role !== 'admin' && role !== null).length)
    const own = await list(engineer.token)
    expect(own.entries.every(({ actorId }) => actorId === engineer.id)).toBe(true)
    expect(own.entries.map(({ action, result }) => [action, result])).toContainEqual(['list', 'DENIED'])
    const byAdmin = all.entries.find(({ role }) => role === 'admin')
    expect((await server.call('GET', `audit-log/${byAdmin?.id}`, { token: moderator.token })).status).toBe(404)
    expect((await server.call('GET', `audit-log?ip=127.0.0.1`, { token: moderator.token })).status).toBe(400)
    for (const role of ['installer', 'client'] as const) {
      const { token } = await server.signedIn({ email: `${role}@example.com`, role })
      expect((await list(token)).status).toBe(403)
    }
  })

  it('can be changed by nobody', async () => {
    const { entries } = await list(admin.token)
    const path = `audit-log/${entries[0]?.id}`
    const tries = [
      await server.call('PUT', path, { token: admin.token, body: { version: 1, action: 'x' } }),
      await server.call('DELETE', path, { token: admin.token }),
      await server.call('POST', 'audit-log', { token: admin.token, body: { action: 'x' } }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404])
    await expect(sql`delete from "audit_log"`.execute(server.database.kysely)).rejects.toThrow('never changed')
    await expect(sql`update "audit_log" set "action" = 'x'`.execute(server.database.kysely)).rejects.toThrow('never changed')
  })

  it('takes the actor from the session and keeps control characters out of lines', async () => {
    const evil = await makeUser('x@example.com', { actorId: admin.id, firstName: 'A' })
    expect(evil.status).toBe(400)
    const injected = await server.login('a\r\nGET /\u001b[31m@example.com', 'wrong-password-1')
    expect(injected.status).toBe(400)
    const { entries } = await list(admin.token)
    const letters = entries.flatMap((entry) => [...JSON.stringify(entry)])
    expect(letters.filter((letter) => letter < ' ' || letter === '\u007f')).toEqual([])
  })

  it('undoes a change whose entry can not be written', async () => {
    const { body } = await makeUser('kept@example.com')
    const refused = `"code" is null or "code" not in ('kept@example.com', 'refused@example.com')`
    await server.database.pool.query(`alter table "auditLog" add constraint "full" check (${refused}) not valid`)
    const made = await makeUser('refused@example.com')
    const change = { version: 1, firstName: 'Bea' }
    const changed = await server.call('PUT', `user/${body.id}`, { token: admin.token, body: change })
    expect(Math.min(made.status, changed.status)).toBeGreaterThanOrEqual(400)
    await server.database.pool.query(`alter table "auditLog" drop constraint "full"`)
    const rows = await server.rows(
      `select "email", "firstName" from "user" where "email" in ('kept@example.com', 'refused@example.com')`,
    )
    expect(rows).toEqual([{ email: 'kept@example.com', firstName: 'A' }])
  })

  it('has one line for a limit that is hit, however often it is', async () => {
    for (let time = 0; time < 5; time += 1) await server.login('guessed@example.com', 'wrong-password-1')
    for (let time = 0; time < 4; time += 1)
      expect((await server.login('guessed@example.com', 'wrong-password-1')).status).toBe(429)
    const lines = () =>
      server.rows(`select "action", "result", "reason", "ip" from "auditLog" where "code" = 'guessed@example.com'
      and "result" = 'DENIED'`)
    await expect.poll(lines).toEqual([{ action: 'login', result: 'DENIED', reason: 'too-many-attempts', ip: '127.0.0.1' }])
  })
})
