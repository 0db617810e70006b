import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sessionEvents } from '#server/account/session/session-events.ts'
import { endSessionsOf } from '#server/account/session/session-store.ts'
import { hashToken } from '#server/account/session/token.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(oneEngine(import.meta.filename))('a session on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let token = ''
  let id = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    const person = await server.signedIn({ email: `person-${count++}@example.com`, role: 'moderator' })
    id = person.id
    token = person.token
  })

  const me = (bearer = token) => server.call('GET', 'auth/me', { token: bearer })
  const refresh = (bearer = token) => server.call('POST', 'auth/refresh', { token: bearer })

  it('tells who is signed in and what the role may do', async () => {
    const { status, body } = await me()
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ id, role: 'moderator', firstName: 'Ann' })
    expect(body.permissions).toMatchObject({ user: { list: true, create: true }, ess: { list: true } })
  })

  it.each(['', 'Bearer', 'Basic x', 'Bearer nonsense', `Bearer ${'A'.repeat(43)}`])(
    'refuses the header "%s"',
    async (authorization) => {
      for (const [method, path] of [
        ['GET', 'auth/me'],
        ['POST', 'auth/refresh'],
        ['POST', 'auth/logout'],
      ] as const) {
        const { status } = await server.call(method, path, { headers: { authorization } })
        expect(status, path).toBe(401)
      }
    },
  )

  it('lets a token live to its second and no longer', async () => {
    const { body } = await server.login(`person-${count - 1}@example.com`)
    const expired = Number(body.accessTokenExpired)
    expect(Number.isInteger(expired)).toBe(true)
    expect(expired * 1000 - server.now).toBe(900_000)
    server.pass(899)
    expect((await me(String(body.accessToken))).status).toBe(200)
    server.pass(2)
    expect((await me(String(body.accessToken))).status).toBe(401)
    expect((await refresh(String(body.accessToken))).status).toBe(200)
  })

  it('ends with the logout, for refresh too', async () => {
    const out = await server.call('POST', 'auth/logout', { token, body: { pushId: 'somebody-elses' } })
    expect(out.status).toBe(204)
    expect((await me()).status).toBe(401)
    expect((await refresh()).status).toBe(401)
  })

  it('accepts a logout without a body', async () => {
    expect((await server.call('POST', 'auth/logout', { token })).status).toBe(204)
    expect((await me()).status).toBe(401)
  })

  it('answers ten refreshes at once with ten tokens that work, in one session', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh()))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const tokens = answers.map(({ body }) => String(body.accessToken))
    expect(new Set(tokens).size).toBe(10)
    const seen = await Promise.all(tokens.map((one) => me(one)))
    expect(seen.every(({ status }) => status === 200)).toBe(true)
    expect(await server.rows(`select "id" from "session" where "userId" = '${id}'`)).toHaveLength(1)
  })

  it('keeps a replaced token 30 s for calls under way, then takes its use for theft', async () => {
    const { body } = await refresh()
    const next = String(body.accessToken)
    server.pass(29)
    expect((await me(next)).status).toBe(200)
    // A call that left before the renewal arrives after a call with the new token.
    expect((await me()).status).toBe(200)
    server.pass(31)
    expect((await me(next)).status).toBe(200)
    expect((await me()).status).toBe(401)
    expect((await me(next)).status).toBe(401)
    expect((await refresh(next)).status).toBe(401)
    const audit = await server.rows(
      `select "action", "result" from "auditLog" where "actorId" = '${id}' and "entityType" = 'session' and "action" <> 'login'`,
    )
    expect(audit).toEqual([{ action: 'token reuse', result: 'DENIED' }])
  })

  it('says to its holder why it was ended, in his language, to every call and to a refresh', async () => {
    const set = (columns: string) => server.rows(`update "user" set ${columns} where "id" = '${id}'`)
    const end = (reason: string) => endSessionsOf(server.database.kysely, { userId: id, now: new Date(server.now), reason })
    const told = async () => {
      sessionEvents.emit('ended', { userId: id })
      const answers = await Promise.all([me(), refresh()])
      expect(answers.map(({ status }) => status)).toEqual([401, 401])
      expect(new Set(answers.map(({ body }) => body.code)).size).toBe(1)
      return answers[0]?.body.code
    }
    await set(`"lockedAt" = now()`)
    expect(await told()).toBe('session-ended.locked')
    await set(`"lockedAt" = null`)
    await end('role changed')
    expect(await told()).toBe('session-ended.role')
    const russian = await server.call('GET', 'auth/me', { token, headers: { 'accept-language': 'ru' } })
    expect(russian.body.message).toBe('Ваша роль изменена. Войдите ещё раз')
    await server.rows(`update "session" set "endReason" = 'logout' where "userId" = '${id}'`)
    expect(await told()).toBe('session-ended')
    await server.rows(`update "session" set "endedAt" = null where "userId" = '${id}'`)
    server.pass(3601)
    expect(await told()).toBe('session-ended.idle')
    server.pass(86_400)
    expect(await told()).toBe('session-ended.age')
    expect((await me('A'.repeat(43))).body.code).toBe('session-ended')
  })

  it('goes on with the old token when the answer to a refresh was lost, however long ago', async () => {
    const { body: lost } = await refresh()
    server.pass(600)
    expect((await me()).status).toBe(200)
    const again = await refresh()
    expect(again.status).toBe(200)
    const next = String(again.body.accessToken)
    expect((await me(next)).status).toBe(200)
    server.pass(31)
    // Both the old one and the lost one open nothing now, and who comes with either is not the owner.
    expect((await me(String(lost.accessToken))).status).toBe(401)
    expect((await me(next)).status).toBe(401)
    const audit = await server.rows(`select "action" from "auditLog" where "actorId" = '${id}' and "action" = 'token reuse'`)
    expect(audit).toHaveLength(1)
  })

  it('ends after an hour without a call, and not before', async () => {
    server.pass(3_500)
    const renewed = await refresh()
    expect(renewed.status).toBe(200)
    server.pass(3_601)
    expect((await refresh(String(renewed.body.accessToken))).status).toBe(401)
  })

  it('ends after 24 hours, however often it is renewed', async () => {
    let last = token
    let hours = 0
    for (; hours < 30; hours += 0.5) {
      server.pass(1_800)
      const { status, body } = await refresh(last)
      if (status !== 200) break
      last = String(body.accessToken)
    }
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThan(24.5)
  })

  it('reads the role again, at the latest within a second of a change in the database', async () => {
    expect((await me()).body.user).toMatchObject({ role: 'moderator' })
    await server.rows(`update "user" set "role" = 'client' where "id" = '${id}'`)
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    const { body } = await me()
    expect(body.user).toMatchObject({ role: 'client' })
    expect(body.permissions).toMatchObject({ user: { list: false } })
  })

  it('forgets at once what it remembers of a session that ends', async () => {
    expect((await me()).status).toBe(200)
    await endSessionsOf(server.database.kysely, { userId: id, now: new Date(server.now), reason: 'test' })
    sessionEvents.emit('ended', { userId: id })
    expect((await me()).status).toBe(401)
  })

  it('lists the own sessions and ends one of them, but nobody else’s', async () => {
    const email = `person-${count - 1}@example.com`
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
    const second = await server.login(email, undefined, { headers: { 'user-agent': agent } })
    const list = await server.call('GET', 'auth/session', { token })
    const sessions: { id: string; label: string; current: boolean }[] = JSON.parse(list.text)
    expect(list.headers['x-total-count']).toBe('2')
    const other = sessions.find(({ current }) => !current)
    expect(other?.label).toBe('Firefox · Windows')
    const stranger = await server.signedIn({ email: `stranger-${count}@example.com`, role: 'admin' })
    expect((await server.call('DELETE', `auth/session/${other?.id}`, { token: stranger.token })).status).toBe(404)
    expect((await server.call('DELETE', `auth/session/${other?.id}`, { token })).status).toBe(204)
    expect((await me(String(second.body.accessToken))).status).toBe(401)
    expect((await me()).status).toBe(200)
  })

  it('stores no token that could be used', async () => {
    const dump = JSON.stringify(
      await server.rows('select * from "sessionToken" join "session" on "session"."id" = "sessionToken"."sessionId"'),
    )
    expect(dump).not.toContain(token)
    expect(dump).toContain(hashToken(token))
    expect((await me(hashToken(token))).status).toBe(401)
    const { rows } = await sql<{ hash: string }>`select "passwordHash" as "hash" from "credential"`.execute(
      server.database.kysely,
    )
    expect(rows.every(({ hash }) => hash.startsWith('$argon2id$'))).toBe(true)
  })

  it('sets no cookie and takes no token from the address', async () => {
    const { headers } = await server.login(`person-${count - 1}@example.com`)
    expect(headers['set-cookie']).toBeUndefined()
    expect((await server.call('GET', `auth/me?token=${token}&access_token=${token}`)).status).toBe(401)
  })
})
