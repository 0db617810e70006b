import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(oneEngine(import.meta.filename))('a call that asks for a fresh confirmation on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let token = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine, { TOKEN_TTL_S: '3600' })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    token = (await server.signedIn({ email: `root-${++count}@example.com`, role: 'admin' })).token
  })
  const call = (method: 'GET' | 'POST' | 'PUT', path: string, body: object) => server.call(method, path, { token, body })
  const person = async () => {
    const id = await server.addUser({ email: `somebody-${++count}@example.com`, role: 'installer' })
    return { id, version: 1 }
  }
  const roleOf = async (id: string) => (await server.rows(`select "role" from "user" where "id" = '${id}'`))[0]?.role
  const named = (role: string) => ({ email: `new-${++count}@example.com`, role, firstName: 'Ivan', lastName: 'Orlov' })

  it('is served while the sign-in is fresh, refused after it, and served again by who confirms', async () => {
    const [first, second] = [await person(), await person()]
    server.pass(10 * 60 - 1)
    expect((await call('PUT', `user/${first.id}`, { role: 'moderator', version: 1 })).status).toBe(200)
    server.pass(1)
    const refused = await call('PUT', `user/${second.id}`, { role: 'moderator', version: 1 })
    expect([refused.status, refused.body.code]).toEqual([403, 'confirmation-needed'])
    expect(await roleOf(second.id)).toBe('installer')
    expect((await call('POST', 'auth/confirm', { password: 'not the password' })).status).toBe(400)
    expect((await call('PUT', `user/${second.id}`, { role: 'moderator', version: 1 })).status).toBe(403)
    expect((await call('POST', 'auth/confirm', { password: goodPassword })).status).toBe(200)
    expect((await call('PUT', `user/${second.id}`, { role: 'moderator', version: 1 })).status).toBe(200)
    server.pass(10 * 60)
    expect((await call('PUT', `user/${second.id}`, { role: 'installer', version: 2 })).status).toBe(403)
  })

  it('leaves other changes alone, also those that send the field as it is', async () => {
    const { id } = await person()
    server.pass(20 * 60)
    expect((await call('PUT', `user/${id}`, { firstName: 'Anna', role: 'installer', version: 1 })).status).toBe(200)
    expect((await call('PUT', `user/${id}`, { firstName: 'Olga', version: 2 })).status).toBe(200)
  })

  it('asks for it where an account of the staff is made, and not for a client', async () => {
    server.pass(20 * 60)
    expect((await call('POST', 'user', named('admin'))).body.code).toBe('confirmation-needed')
    expect((await call('POST', 'user', named('service_engineer'))).body.code).toBe('confirmation-needed')
    const client = await call('POST', 'user', named('client'))
    expect([client.status, client.body.role]).toEqual([201, 'client'])
  })

  it('asks for it where an engineer is invited to a system, by an unknown address and by a known one', async () => {
    await server.rows(`insert into "ess" ("id", "code") values ('ess-${count}', 'ESS-${count}')`)
    const known = `engineer-${count}@example.com`
    await server.addUser({ email: known, role: 'service_engineer' })
    const invite = (email: string) => call('POST', `ess/ess-${count}/invite-service-engineer`, { email, scope: 'FULL' })
    server.pass(20 * 60)
    for (const email of [known, `unknown-${count}@example.com`])
      expect((await invite(email)).body.code).toBe('confirmation-needed')
    expect(await server.rows(`select from "user" where "email" = 'unknown-${count}@example.com'`)).toEqual([])
    const guest = await call('POST', `ess/ess-${count}/invite-guest`, { email: `guest-${count}@example.com` })
    expect(guest.status).toBe(201)
    await call('POST', 'auth/confirm', { password: goodPassword })
    expect((await invite(`unknown-${count}@example.com`)).status).toBe(201)
  })

  it('asks for it where a deleted account comes back, and not for a client', async () => {
    const [engineer, client] = [
      await server.addUser({ email: `back-${++count}@example.com`, role: 'service_engineer' }),
      await server.addUser({ email: `back-${++count}@example.com`, role: 'client' }),
    ]
    await server.rows(`update "user" set "deletedAt" = now() where "id" in ('${engineer}', '${client}')`)
    server.pass(20 * 60)
    const restore = (id: string) => call('PUT', `user/${id}/restore`, {})
    expect((await restore(engineer)).body.code).toBe('confirmation-needed')
    expect((await restore(client)).status).toBe(200)
    await call('POST', 'auth/confirm', { password: goodPassword })
    expect((await restore(engineer)).status).toBe(200)
  })

  it('asks each session of a person on its own, and says it once in the audit log', async () => {
    const email = `twin-${++count}@example.com`
    const { id, token: one } = await server.signedIn({ email, role: 'admin' })
    const other = await server.tokenOf(email)
    server.pass(20 * 60)
    const confirm = { body: { password: goodPassword } }
    expect((await server.call('POST', 'auth/confirm', { token: one, ...confirm })).status).toBe(200)
    const { id: target } = await person()
    const change = { body: { role: 'moderator', version: 1 } }
    expect((await server.call('PUT', `user/${target}`, { token: other, ...change })).status).toBe(403)
    expect((await server.call('PUT', `user/${target}`, { token: one, ...change })).status).toBe(200)
    const lines = await server.rows(
      `select "action", "result" from "auditLog" where "actorId" = '${id}' and "action" = 'confirm'`,
    )
    expect(lines).toEqual([{ action: 'confirm', result: 'OK' }])
  })
})
