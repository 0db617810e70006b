import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { refusal } from '#tests/support/refusal.ts'

type Someone = { id: string; token: string; email: string }

describe.each(oneEngine(import.meta.filename))('users on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let admin: Someone
  let moderator: Someone
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())

  const someone = async (role: Role): Promise<Someone> => {
    const email = `${role}-${++count}@example.com`
    return { email, ...(await server.signedIn({ email, role })) }
  }
  beforeEach(async () => {
    admin = await someone('admin')
    moderator = await someone('moderator')
  })
  const stored = async (id: string) => (await server.rows(`select * from "user" where "id" = '${id}'`))[0] ?? {}
  const versionOf = async (id: string) => Number((await stored(id)).version)
  const statusOf = async ({ token }: Someone) => (await server.call('GET', 'auth/me', { token })).status
  const as = (who: Someone) => ({
    get: (path: string) => server.call('GET', path, { token: who.token }),
    put: (path: string, body?: unknown) => server.call('PUT', path, { token: who.token, body }),
    post: (path: string, body?: unknown) => server.call('POST', path, { token: who.token, body }),
    delete: (path: string, body?: unknown) => server.call('DELETE', path, { token: who.token, body }),
  })
  const newUser = (role: Role) => ({ email: `new-${++count}@example.com`, role, firstName: 'Ivan', lastName: 'Orlov' })

  describe('locking', () => {
    it('ends the sessions at once, and unlocking revives none', async () => {
      const other = await someone('installer')
      expect(await statusOf(other)).toBe(200)
      const locked = await as(admin).delete(`user/${other.id}/lock`, { reason: 'lost telephone' })
      expect(locked.status).toBe(200)
      expect(locked.body).toMatchObject({ status: 'LOCKED', lockedBy: admin.id, lockedReason: 'lost telephone' })
      expect(await statusOf(other)).toBe(401)
      expect((await server.login(other.email)).status).toBe(423)
      const unlocked = await as(admin).put(`user/${other.id}/unlock`)
      expect(unlocked.status).toBe(200)
      expect(unlocked.body).toMatchObject({ status: 'ACTIVE', lockedAt: null, lockedReason: null })
      expect(await statusOf(other)).toBe(401)
      expect((await server.login(other.email)).status).toBe(200)
    })

    it('accepts an empty body with a JSON type', async () => {
      const other = await someone('client')
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` }
      expect((await server.call('DELETE', `user/${other.id}/lock`, { headers })).status).toBe(200)
    })

    it('refuses what makes no sense any more with 409', async () => {
      const other = await someone('client')
      expect(await as(admin).put(`user/${other.id}/unlock`)).toMatchObject(refusal(409, 'action.wrong-state'))
      expect((await as(admin).delete(`user/${other.id}/lock`)).status).toBe(200)
      expect(await as(admin).delete(`user/${other.id}/lock`)).toMatchObject(refusal(409, 'action.wrong-state'))
    })

    it('leaves a line in the audit log', async () => {
      const other = await someone('client')
      await as(admin).delete(`user/${other.id}/lock`, { reason: 'why not' })
      const lines = await server.rows(
        `select "action", "actorId", "role", "result" from "auditLog" where "entityType" = 'user' and "entityId" = '${other.id}' and "action" <> 'login'`,
      )
      expect(lines).toEqual([{ action: 'lock', actorId: admin.id, role: 'admin', result: 'OK' }])
    })
  })

  describe('guards', () => {
    it('keeps everybody from locking, deleting and demoting himself', async () => {
      for (const [answer, code] of [
        [await as(admin).delete(`user/${admin.id}/lock`), 'user.self'],
        [await as(admin).delete(`user/${admin.id}`), 'user.self'],
        [await as(admin).put(`user/${admin.id}`, { role: 'client', version: await versionOf(admin.id) }), 'user.self'],
        [await as(moderator).delete(`user/${moderator.id}`), 'user.above'],
      ] as const)
        expect([answer.status, answer.body.code]).toEqual([403, code])
      expect(await stored(admin.id)).toMatchObject({ role: 'admin', lockedAt: null, deletedAt: null })
    })

    it('keeps admins and moderators out of a moderator’s reach', async () => {
      for (const { id } of [await someone('admin'), await someone('moderator')]) {
        const before = await stored(id)
        for (const answer of [
          await as(moderator).get(`user/${id}`),
          await as(moderator).put(`user/${id}`, { firstName: 'Changed', version: before.version }),
          await as(moderator).delete(`user/${id}`),
          await as(moderator).delete(`user/${id}/lock`),
          await as(moderator).put(`user/${id}/unlock`),
        ])
          expect(answer).toMatchObject(refusal(404, 'not-found'))
        expect(await stored(id)).toEqual(before)
      }
      const { text } = await as(moderator).get('user?role=admin&role=moderator')
      expect(JSON.parse(text)).toMatchObject([{ id: moderator.id }])
      for (const role of ['admin', 'moderator'] as const) {
        const made = await as(moderator).post('user', newUser(role))
        expect([made.status, made.body.code]).toEqual([403, 'user.above'])
      }
      for (const role of ['installer', 'client', 'service_engineer'] as const)
        expect((await as(moderator).post('user', newUser(role))).status, role).toBe(201)
    })

    it.each(['admin', ['admin'], 'Admin', 'admin ', 'root', null])(
      'does not let a moderator take the role %j',
      async (role) => {
        const version = await versionOf(moderator.id)
        const { status } = await as(moderator).put(`user/${moderator.id}`, { role, version })
        expect(status).toBe(role === 'admin' ? 403 : 400)
        const client = await someone('client')
        const promoted = await as(moderator).put(`user/${client.id}`, { role, version: await versionOf(client.id) })
        expect(promoted.status).toBe(role === 'admin' ? 403 : 400)
        expect(await stored(moderator.id)).toMatchObject({ role: 'moderator', version })
        expect(await stored(client.id)).toMatchObject({ role: 'client' })
      },
    )

    it.each([
      'id',
      'createdAt',
      'deletedAt',
      'lockedAt',
      'passwordHash',
      'sessionVersion',
      'email',
      'status',
      'purgeAt',
      'constructor',
    ])('does not let anybody write %s', async (key) => {
      const before = await stored(admin.id)
      const { status } = await as(admin).put(`user/${admin.id}`, { [key]: '2026-01-01T00:00:00.000Z', version: before.version })
      expect(status).toBe(400)
      expect(await stored(admin.id)).toEqual(before)
    })

    it('ends the sessions of whose role changes', async () => {
      const other = await someone('installer')
      const changed = await as(admin).put(`user/${other.id}`, { role: 'service_engineer', version: await versionOf(other.id) })
      expect(changed.status).toBe(200)
      expect(await statusOf(other)).toBe(401)
      expect((await server.login(other.email)).body.user).toMatchObject({ role: 'service_engineer' })
    })
  })

  describe('the last admin', () => {
    it('stays: of two who demote each other at the same moment one succeeds', async () => {
      const second = await someone('admin')
      await server.rows(
        `update "user" set "lockedAt" = now() where "role" = 'admin' and "id" not in ('${admin.id}', '${second.id}')`,
      )
      const demote = async (by: Someone, whom: Someone, version: number) =>
        (await as(by).put(`user/${whom.id}`, { role: 'client', version })).status
      const versions = [await versionOf(admin.id), await versionOf(second.id)] as const
      const answers = await Promise.all([demote(admin, second, versions[1]), demote(second, admin, versions[0])])
      expect(answers.filter((status) => status === 200)).toHaveLength(1)
      expect(answers.filter((status) => status === 401 || status === 403)).toHaveLength(1)
      expect(await server.rows(`select "id" from "user" where "role" = 'admin' and "lockedAt" is null`)).toHaveLength(1)
    })
  })

  describe('deleting', () => {
    it('is soft, ends the sessions and mails a link that brings the account back', async () => {
      const other = await someone('client')
      expect((await as(admin).delete(`user/${other.id}`)).status).toBe(204)
      expect(await statusOf(other)).toBe(401)
      const row = await stored(other.id)
      expect(Date.parse(String(row.purgeAt)) - server.now).toBe(30 * 86_400_000)
      expect((await server.login(other.email)).body.code).toBe('user.deleted')
      expect(await as(admin).delete(`user/${other.id}`)).toMatchObject(refusal(409, 'user.already-deleted'))
      const token = await server.linkTo(other.email, '/restore-self')
      expect((await server.call('PUT', 'user/cancel-delete', { body: { token } })).status).toBe(200)
      expect(await statusOf(other)).toBe(401)
      expect((await server.login(other.email)).status).toBe(200)
      expect((await server.call('PUT', 'user/cancel-delete', { body: { token } })).status).toBe(410)
    })

    it('takes nobody back whose month is over, nor anybody else’s account', async () => {
      const [other, third] = [await someone('client'), await someone('client')]
      await as(admin).delete(`user/${other.id}`)
      await as(admin).delete(`user/${third.id}`)
      const token = await server.linkTo(other.email, '/restore-self')
      const withId = await server.call('PUT', 'user/cancel-delete', { body: { token, id: third.id } })
      expect(withId.status).toBe(400)
      server.pass(30 * 86_400 + 1)
      expect((await server.call('PUT', 'user/cancel-delete', { body: { token } })).status).toBe(410)
      expect((await stored(third.id)).deletedAt).not.toBeNull()
    })

    it.each([
      ['DELETE', 'user/cancel-delete'],
      ['DELETE', 'user/client'],
      ['PUT', 'user/unlock'],
      ['PUT', 'user/client'],
      ['GET', 'user/:id'],
      ['GET', 'user/cancel-delete'],
    ] as const)('touches no row by %s %s', async (method, path) => {
      const before = await server.rows('select * from "user" order by "id"')
      const { status } = await server.call(method, path, {
        token: admin.token,
        ...(method === 'PUT' ? { body: { version: 1 } } : {}),
      })
      expect([400, 404, 405]).toContain(status)
      expect(await server.rows('select * from "user" order by "id"')).toEqual(before)
    })
  })

  describe('the own record', () => {
    it.each(['service_engineer', 'installer', 'client'] as const)('is read and written by a %s, and no other', async (role) => {
      const self = await someone(role)
      const read = await as(self).get(`user/${self.id}`)
      expect(read.status).toBe(200)
      expect(read.body).toMatchObject({ id: self.id, email: self.email, status: 'ACTIVE', name: 'Ann Lee' })
      expect(read.body).not.toHaveProperty('staffNote')
      const profile = {
        firstName: 'Анна',
        phone: '+79161234567',
        language: 'ru',
        timezone: 'Europe/Moscow',
      }
      const written = await as(self).put(`user/${self.id}`, { ...profile, version: read.body.version })
      expect(written.status).toBe(200)
      expect(written.body).toMatchObject({ ...profile, version: 2 })
      expect((await server.call('GET', 'auth/me', { token: self.token })).body.user).toMatchObject({
        firstName: 'Анна',
        language: 'ru',
      })
      expect((await as(self).put(`user/${self.id}`, { role: 'admin', version: 2 })).status).toBe(403)
      expect((await as(self).put(`user/${moderator.id}`, { firstName: 'X', version: 1 })).status).toBe(404)
      expect((await as(self).get(`user/${moderator.id}`)).status).toBe(404)
      expect((await as(self).get('user')).status).toBe(403)
      expect((await as(self).delete(`user/${self.id}`)).status).toBe(403)
    })
  })

  it('answers twenty creations of one address with one 201 and nineteen 409', async () => {
    const user = newUser('client')
    const answers = await Promise.all(Array.from({ length: 20 }, () => as(admin).post('user', user)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body.fields).toHaveProperty('email')
  })
})
