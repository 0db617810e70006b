import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { requireFactorPart } from '#server/account/factor/require-factor-part.ts'
import { sealSecrets } from '#server/account/factor/seal-secrets.ts'
import { Authenticator, addProtected, challengeOf, giveCode, type Protected } from '#tests/support/authenticator.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(oneEngine(import.meta.filename))('the second factor of the profile on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let ann: Protected
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    ann = await addProtected(server, `ann-${++count}@example.com`)
  })
  const as = (token: string) => (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    server.call(method, path, { token, ...(body === undefined ? {} : { body }) })
  const renewed = async (token: string) => String((await as(token)('POST', 'auth/refresh')).body.accessToken)
  const subjects = async (email: string) => (await server.mails()).flatMap(({ to, subject }) => (to === email ? [subject] : []))

  it('is set up by a code of the app, and not before one came', async () => {
    const { token } = await server.signedIn({ email: `bob-${count}@example.com`, role: 'client' })
    const bob = as(token)
    const begun = await bob('POST', 'auth/factor/totp')
    const secret = String(begun.body.secret)
    expect(String(begun.body.uri)).toContain(`secret=${secret}`)
    expect((await bob('PUT', 'auth/factor/totp', { code: '000000' })).body.code).toBe('wrong-code')
    expect((await bob('GET', 'auth/factor')).body).toEqual({
      totpAt: null,
      passkeys: [],
      passkeyOrigin: 'https://console.example',
      recoveryLeft: 0,
      required: false,
      confirmedBy: 'password',
    })
    expect((await server.login(`bob-${count}@example.com`)).status).toBe(200)
    const code = new Authenticator(secret).codeAt(server.now)
    const done = await bob('PUT', 'auth/factor/totp', { code })
    expect(done.body.recoveryCodes).toHaveLength(10)
    expect((await server.login(`bob-${count}@example.com`)).status).toBe(202)
    expect(await subjects(`bob-${count}@example.com`)).toEqual(['A second factor was set up'])
    expect((await bob('POST', 'auth/factor/totp')).body.code).toBe('second-factor.present')
  })

  it('is sealed in the database, also one that an earlier release left readable, and is of no use to another person', async () => {
    const email = `carl-${count}@example.com`
    const { id, token } = await server.signedIn({ email, role: 'client' })
    const secret = String((await as(token)('POST', 'auth/factor/totp')).body.secret)
    const app = new Authenticator(secret)
    expect((await as(token)('PUT', 'auth/factor/totp', { code: app.codeAt(server.now) })).status).toBe(200)
    const stored = async () =>
      (await server.rows<{ secret: string }>(`select "secret" from "totp" where "userId" = '${id}'`))[0]?.secret
    const signIn = async (who: string) => {
      server.pass(90)
      return (await giveCode(server, await challengeOf(server, who), app.codeAt(server.now))).status
    }
    expect(await stored()).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/)
    expect(await signIn(email)).toBe(200)
    await server.rows(`update "totp" set "secret" = '${secret}' where "userId" = '${id}'`)
    await sealSecrets(server.context)
    expect(await stored()).not.toContain(secret)
    expect(await signIn(email)).toBe(200)
    await server.rows(`update "totp" set "secret" = '${await stored()}' where "userId" = '${ann.id}'`)
    expect(await signIn(ann.email)).toBe(400)
  })

  it('lies readable in a database of several processes without a key, and the log says so at the start', async () => {
    const warn = vi.fn()
    const { context } = server
    const config = { ...context.config, databaseUrl: 'postgres://database/ess', secretsKey: undefined }
    await server.rows(`update "totp" set "secret" = 'JBSWY3DPEHPK3PXP'`)
    const log = { ...context.log, warn, error: vi.fn() }
    await sealSecrets({ ...context, config, log })
    const [{ people } = { people: 0 }] = await server.rows<{ people: string }>('select count(*) as "people" from "totp"')
    expect(warn.mock.calls).toEqual([[{ people: Number(people) }, expect.stringContaining('set SECRETS_KEY')]])
    await sealSecrets(context)
  })

  it('is changed by a fresh confirmation only: the password does not do where there is a factor', async () => {
    server.pass(8 * 60)
    const own = as(await renewed(ann.token))
    expect((await own('POST', 'auth/factor/recovery')).status).toBe(200)
    server.pass(60)
    for (const [method, path] of [
      ['DELETE', 'auth/factor/totp'],
      ['POST', 'auth/factor/recovery'],
      ['POST', 'auth/factor/totp'],
    ] as const)
      expect([path, (await own(method, path)).body.code]).toEqual([path, 'confirmation-needed'])
    expect((await own('POST', 'auth/confirm', { password: goodPassword })).body.fields).toHaveProperty('code')
    expect((await own('POST', 'auth/confirm', { code: '000000' })).body.code).toBe('wrong-code')
    expect((await own('DELETE', 'auth/factor/totp')).body.code).toBe('confirmation-needed')
    expect((await own('POST', 'auth/confirm', { code: ann.app.codeAt(server.now) })).status).toBe(200)
    expect((await own('DELETE', 'auth/factor/totp')).status).toBe(204)
    expect((await server.login(ann.email)).status).toBe(200)
    expect(await subjects(ann.email)).toContain('Your second factor was removed')
    const audit = await server.rows<{ action: string; result: string }>(
      `select "action", "result" from "auditLog" where "actorId" = '${ann.id}' and "entityType" in ('user', 'session')
       and "action" in ('confirm', 'remove-factor', 'add-factor', 'renew-recovery-codes') order by "at", "id"`,
    )
    expect(audit.map(({ action, result }) => `${action} ${result}`)).toEqual([
      'add-factor OK',
      'renew-recovery-codes OK',
      'add-factor DENIED',
      'confirm FAILED',
      'confirm OK',
      'remove-factor OK',
    ])
  })

  it('is confirmed by the password where there is none, five tries in a quarter of an hour', async () => {
    const { token } = await server.signedIn({ email: `bob-${count}@example.com`, role: 'client' })
    server.pass(14 * 60)
    const bob = as(await renewed(token))
    server.pass(60)
    expect((await bob('POST', 'auth/factor/totp')).body.code).toBe('confirmation-needed')
    for (let time = 0; time < 5; time++)
      expect((await bob('POST', 'auth/confirm', { password: 'not the password' })).body.code).toBe('wrong-password')
    expect((await bob('POST', 'auth/confirm', { password: goodPassword })).status).toBe(429)
    server.pass(14 * 60)
    const later = as(await renewed(String((await server.login(`bob-${count}@example.com`)).body.accessToken)))
    server.pass(60)
    expect((await later('POST', 'auth/confirm', { password: goodPassword })).status).toBe(200)
    expect((await later('POST', 'auth/factor/totp')).status).toBe(200)
  })

  it('has new recovery codes in place of those before', async () => {
    const { body } = await as(ann.token)('POST', 'auth/factor/recovery')
    const [next = ''] = body.recoveryCodes as string[]
    const give = async (code: string) => (await giveCode(server, await challengeOf(server, ann.email), code)).status
    expect(await give(ann.recoveryCodes[0] ?? '')).toBe(400)
    expect(await give(next)).toBe(200)
  })

  it('is reset by an admin, who says why; the person is signed out and gets a letter', async () => {
    const root = await server.signedIn({ email: `root-${count}@example.com`, role: 'admin' })
    const admin = as(root.token)
    expect((await admin('GET', `user/${ann.id}`)).body.secondFactor).toBe(true)
    expect((await admin('PUT', `user/${ann.id}/reset-factor`, {})).status).toBe(400)
    const done = await admin('PUT', `user/${ann.id}/reset-factor`, { reason: 'The phone was lost' })
    expect([done.status, done.body.secondFactor]).toEqual([200, false])
    expect((await as(ann.token)('GET', 'auth/me')).status).toBe(401)
    expect((await server.login(ann.email)).status).toBe(200)
    expect(await subjects(ann.email)).toContain('An administrator reset your second factor')
    const [line] = await server.rows(`select "actorId", "reason", "code" from "auditLog" where "action" = 'reset-factor'
      and "entityId" = '${ann.id}'`)
    expect(line).toEqual({ actorId: root.id, reason: 'The phone was lost', code: ann.email })
    expect((await admin('PUT', `user/${ann.id}/reset-factor`, { reason: 'again' })).status).toBe(409)
  })

  it('is reset neither by a moderator nor for oneself', async () => {
    const mod = await server.signedIn({ email: `mod-${count}@example.com`, role: 'moderator' })
    const body = { reason: 'I want to' }
    expect((await as(mod.token)('PUT', `user/${ann.id}/reset-factor`, body)).status).toBe(403)
    const root = await addProtected(server, `own-${count}@example.com`, 'admin')
    expect((await as(root.token)('PUT', `user/${root.id}/reset-factor`, body)).status).toBe(403)
  })
})

describe.each(oneEngine(import.meta.filename))('a second factor that a role must have on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  beforeAll(async () => {
    server = await openPeopleServer(engine, { REQUIRE_SECOND_FACTOR: 'admin, client' })
  })
  afterAll(() => server.close())
  const enrol = async (email: string) => {
    const { status, body } = await server.login(email)
    expect([status, body.step]).toEqual([202, 'enrol'])
    return String(body.challenge)
  }

  it('is set up at sign-in before there is a session', async () => {
    const email = `new-${++count}@example.com`
    const id = await server.addUser({ email, role: 'client' })
    const challenge = await enrol(email)
    expect((await giveCode(server, challenge, '000000')).status).toBe(410)
    const begun = await server.call('POST', 'auth/challenge/totp', { body: { challenge } })
    const app = new Authenticator(String(begun.body.secret))
    const wrong = await server.call('PUT', 'auth/challenge/totp', { body: { challenge, code: '000000' } })
    expect(wrong.body.code).toBe('wrong-code')
    expect(await server.rows(`select "id" from "session" where "userId" = '${id}'`)).toEqual([])
    const body = { challenge, code: app.codeAt(server.now) }
    const done = await server.call('PUT', 'auth/challenge/totp', { body })
    expect(done.status).toBe(200)
    expect(done.body.recoveryCodes).toHaveLength(10)
    const token = String(done.body.accessToken)
    expect((await server.call('GET', 'auth/me', { token })).status).toBe(200)
    expect((await server.call('GET', 'auth/factor', { token })).body).toMatchObject({ required: true, recoveryLeft: 10 })
    expect((await server.call('DELETE', 'auth/factor/totp', { token })).body.code).toBe('second-factor.required')
    expect((await server.login(email)).body.step).toBe('code')
    expect((await server.call('POST', 'auth/challenge/totp', { body: { challenge } })).status).toBe(410)
    expect((await server.mails()).map(({ to, subject }) => [to, subject])).toContainEqual([email, 'A second factor was set up'])
  })

  it('is not asked of other roles', async () => {
    await server.addUser({ email: 'mod@example.com', role: 'moderator' })
    expect((await server.login('mod@example.com')).status).toBe(200)
  })

  it('can not be set up over the one that is there: an enrolment that waits dies with the first that is done', async () => {
    const email = `race-${++count}@example.com`
    await server.addUser({ email, role: 'client' })
    const [first, second] = [await enrol(email), await enrol(email)]
    const begun = await server.call('POST', 'auth/challenge/totp', { body: { challenge: first } })
    const code = new Authenticator(String(begun.body.secret)).codeAt(server.now)
    expect((await server.call('PUT', 'auth/challenge/totp', { body: { challenge: first, code } })).status).toBe(200)
    expect((await server.call('POST', 'auth/challenge/totp', { body: { challenge: second } })).status).toBe(410)
    const again = await server.call('PUT', 'auth/challenge/totp', { body: { challenge: second, code } })
    expect(again.status).toBe(410)
  })

  it('ends the open sessions of those without one when the server starts with the setting', async () => {
    const open = await openPeopleServer(engine)
    try {
      const without = await open.signedIn({ email: 'bare@example.com', role: 'client' })
      await open.signedIn({ email: 'mod@example.com', role: 'moderator' })
      await addProtected(open, 'kept@example.com')
      const config = { ...open.context.config, requireSecondFactor: ['client' as const] }
      await requireFactorPart.prepare?.({ ...open.context, config })
      const ended = await open.rows<{ userId: string }>(`select "userId" from "session" where "endedAt" is not null`)
      expect(ended.map(({ userId }) => userId)).toEqual([without.id])
    } finally {
      await open.close()
    }
  })
})
