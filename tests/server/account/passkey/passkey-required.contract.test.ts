import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endUnprotectedSessions } from '#server/account/factor/require-factor-part.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { addHolder, addPasskey, enterBy, stepBy } from '#tests/support/passkey-people.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { SoftwarePasskey } from '#tests/support/software-passkey.ts'

describe.each(oneEngine(import.meta.filename))('a passkey of a role that must have a second factor on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  const path = 'auth/challenge/passkey/enrol'
  beforeAll(async () => {
    server = await openPeopleServer(engine, { REQUIRE_SECOND_FACTOR: 'client' })
  })
  afterAll(() => server.close())
  const begin = async (email: string) => {
    const { status, body } = await server.login(email)
    expect([status, body.step, body.ways]).toEqual([202, 'enrol', ['app', 'passkey']])
    return String(body.challenge)
  }
  const enrol = async () => {
    const email = `new-${++count}@example.com`
    await server.addUser({ email, role: 'client' })
    const passkey = new SoftwarePasskey()
    const challenge = await begin(email)
    const done = await stepBy(server, challenge, (options) => passkey.create(options), path)
    return { email, passkey, done, token: String(done.body.accessToken) }
  }

  it('is added at sign-in before there is a session, with recovery codes, and signs in from then on', async () => {
    const { email, passkey, done, token } = await enrol()
    expect(done.status).toBe(200)
    expect(done.body.recoveryCodes).toHaveLength(10)
    expect((await server.call('GET', 'auth/me', { token })).status).toBe(200)
    expect((await enterBy(server, (options) => passkey.use(options))).status).toBe(200)
    expect((await server.login(email)).body).toMatchObject({ step: 'code', ways: ['passkey'] })
    expect((await server.mails()).map(({ to, subject }) => [to, subject])).toContainEqual([email, 'A passkey was added'])
  })

  it('is not removed as the last factor', async () => {
    const { token } = await enrol()
    const own = (method: 'GET' | 'DELETE', of: string) => server.call(method, of, { token })
    const [{ id } = { id: '' }] = (await own('GET', 'auth/factor')).body.passkeys as { id: string }[]
    expect((await own('DELETE', `auth/factor/passkey/${id}`)).body.code).toBe('second-factor.required')
    await addPasskey(server, token, new SoftwarePasskey())
    expect((await own('DELETE', `auth/factor/passkey/${id}`)).status).toBe(204)
    expect((await own('GET', 'auth/factor')).body.passkeys).toHaveLength(1)
  })

  it('is not added beside one that is there: an enrolment that waits dies with the first that is done', async () => {
    const email = `race-${++count}@example.com`
    await server.addUser({ email, role: 'client' })
    const [first, second] = [await begin(email), await begin(email)]
    const waiting = await server.call('POST', path, { body: { challenge: second } })
    const done = await stepBy(server, first, (options) => new SoftwarePasskey().create(options), path)
    expect(done.status).toBe(200)
    const response = new SoftwarePasskey().create(waiting.body)
    const late = await server.call('PUT', path, { body: { challenge: second, response } })
    expect([late.status, late.body.code]).toEqual([410, 'challenge.dead'])
    expect((await server.call('POST', path, { body: { challenge: second } })).status).toBe(410)
    expect((await server.call('POST', 'auth/challenge/totp', { body: { challenge: second } })).status).toBe(410)
  })

  it('keeps its sessions when the server starts with the setting', async () => {
    const open = await openPeopleServer(engine)
    try {
      await addHolder(open, 'kept@example.com')
      const bare = await open.signedIn({ email: 'bare@example.com', role: 'client' })
      const config = { ...open.context.config, requireSecondFactor: ['client' as const] }
      await endUnprotectedSessions({ ...open.context, config })
      const ended = await open.rows<{ userId: string }>(`select "userId" from "session" where "endedAt" is not null`)
      expect(ended.map(({ userId }) => userId)).toEqual([bare.id])
    } finally {
      await open.close()
    }
  })
})
