import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { challengeOf } from '#tests/support/authenticator.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { addHolder, confirmBy, enterBy, type Options, type PasskeyHolder, stepBy } from '#tests/support/passkey-people.ts'
import { type Answer, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { SoftwarePasskey } from '#tests/support/software-passkey.ts'

describe.each(oneEngine(import.meta.filename))('a passkey is refused on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let ann: PasskeyHolder
  let bob: PasskeyHolder
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    // Refusals of the test before are counted no more.
    server.pass(16 * 60)
    ann = await addHolder(server, `ann-${++count}@example.com`)
    bob = await addHolder(server, `bob-${count}@example.com`)
    server.pass(1)
  })

  type Lies = Parameters<SoftwarePasskey['use']>[1]
  const own = (options: Options) => ann.passkey.use(options)
  /** The three ways to use a passkey, with an answer that is not right. */
  const everywhere = async (answer: (options: Options) => object): Promise<Answer[]> => [
    await enterBy(server, answer),
    await stepBy(server, await challengeOf(server, ann.email), answer),
    await confirmBy(server, ann.token, answer),
  ]
  const codesOf = (answers: readonly Answer[]) => answers.map(({ status, body }) => `${status} ${body.code}`)
  const lines = (where: string) =>
    server.rows<{ action: string; result: string; reason: string }>(
      `select "action", "result", "reason" from "auditLog" where ${where} order by "at", "id"`,
    )
  const refused = Array(3).fill('400 passkey.refused')

  it.each<[string, () => Lies]>([
    ['another origin', () => ({ origin: 'https://console.example.evil.test' })],
    ['the same host by another port', () => ({ origin: 'https://console.example:8443' })],
    ['another host that it was made for', () => ({ rpId: 'evil.test' })],
    ['a touch without finger, face or PIN', () => ({ verified: false })],
    ['a signature of another key', () => ({ key: SoftwarePasskey.foreignKey() })],
    ['an answer of another kind', () => ({ type: 'webauthn.create' })],
    ['the name of another person', () => ({ userHandle: Buffer.from(bob.id).toString('base64url') })],
  ])('for %s, by every call, with a line in the audit log', async (_, lies) => {
    expect(codesOf(await everywhere((options) => ann.passkey.use(options, lies())))).toEqual(refused)
    expect(
      (await lines(`"actorId" = '${ann.id}' and "result" = 'FAILED'`)).map(({ action, reason }) => [action, reason]),
    ).toEqual([
      ['login', 'wrong-passkey'],
      ['login', 'wrong-passkey'],
      ['confirm', 'wrong-passkey'],
    ])
    expect((await enterBy(server, own)).status).toBe(200)
  })

  it('for an answer to other options, and for options that were answered, late, or another’s', async () => {
    const elsewhere = (await server.call('POST', 'auth/passkey')).body.options as Options
    const [byOther, ...rest] = await everywhere((options) =>
      ann.passkey.use(options, { challenge: String(elsewhere.challenge) }),
    )
    expect(codesOf([...(byOther ? [byOther] : []), ...rest])).toEqual(Array(3).fill('409 passkey.dead'))
    const made = 'A'.repeat(43)
    expect(codesOf(await everywhere((options) => ann.passkey.use(options, { challenge: made })))).toEqual(
      Array(3).fill('409 passkey.dead'),
    )
    const begun = await server.call('POST', 'auth/passkey')
    const body = { browser: begun.body.browser, response: own(begun.body.options as Options) }
    expect((await server.call('PUT', 'auth/passkey', { body: { ...body, browser: 'x'.repeat(43) } })).body.code).toBe(
      'passkey.dead',
    )
    expect((await server.call('PUT', 'auth/passkey', { body })).status).toBe(200)
    expect((await server.call('PUT', 'auth/passkey', { body })).body.code).toBe('passkey.dead')
    const late = await server.call('POST', 'auth/passkey')
    server.pass(301)
    const overdue = { browser: late.body.browser, response: own(late.body.options as Options) }
    expect((await server.call('PUT', 'auth/passkey', { body: overdue })).body.code).toBe('passkey.dead')
  })

  it('for a second answer after a wrong one: options are used up by either', async () => {
    const begun = await server.call('POST', 'auth/passkey')
    const options = begun.body.options as Options
    const give = (response: object) => server.call('PUT', 'auth/passkey', { body: { browser: begun.body.browser, response } })
    expect((await give(ann.passkey.use(options, { verified: false }))).body.code).toBe('passkey.refused')
    expect((await give(own(options))).body.code).toBe('passkey.dead')
  })

  it('when its counter does not go on, which the audit log tells apart; the true device goes on', async () => {
    for (let time = 0; time < 3; time++) expect((await enterBy(server, own)).status).toBe(200)
    const at = ann.passkey.counter
    for (const counter of [at, at - 1, 0])
      expect(codesOf(await everywhere((options) => ann.passkey.use(options, { counter })))).toEqual(refused)
    const told = await lines(`"actorId" = '${ann.id}' and "reason" = 'passkey.counter'`)
    expect(told.map(({ action }) => action)).toEqual(Array(3).fill(['login', 'login', 'confirm']).flat())
    expect((await enterBy(server, (options) => ann.passkey.use(options, { counter: at + 1 }))).status).toBe(200)
  })

  it('never for a counter that stays at nought, as that of a synchronised one does', async () => {
    const carl = await server.signedIn({ email: `carl-${count}@example.com`, role: 'client' })
    const passkey = new SoftwarePasskey()
    const begun = await server.call('POST', 'auth/factor/passkey', { token: carl.token })
    const response = passkey.create(begun.body, { counter: 0 })
    expect((await server.call('PUT', 'auth/factor/passkey', { token: carl.token, body: { response } })).status).toBe(200)
    for (let time = 0; time < 2; time++)
      expect((await enterBy(server, (options) => passkey.use(options, { counter: 0 }))).status).toBe(200)
  })

  it('where it is another person’s: neither as the second step nor as a confirmation', async () => {
    const foreign = (options: Options) => bob.passkey.use(options)
    expect(codesOf(await everywhere(foreign)).slice(1)).toEqual(refused.slice(1))
    const nameless = (options: Options) => bob.passkey.use(options, { userHandle: undefined })
    expect(codesOf(await everywhere(nameless))).toEqual(refused)
  })

  it('where nobody has it, as a wrong answer of a known one is: by the same words', async () => {
    const begun = await server.call('POST', 'auth/factor/passkey', { token: ann.token })
    const stranger = new SoftwarePasskey()
    stranger.create(begun.body)
    const told = async (answer: (options: Options) => object) => {
      const { status, body } = await enterBy(server, answer)
      return { status, ...body, requestId: '' }
    }
    const unknown = await told((options) => stranger.use(options))
    expect(unknown).toEqual(await told((options) => ann.passkey.use(options, { key: SoftwarePasskey.foreignKey() })))
    expect(unknown).toMatchObject({ status: 400, code: 'passkey.refused' })
    expect((await lines(`"reason" = 'wrong-passkey' and "actorId" is null`)).length).toBeGreaterThan(0)
  })

  it('for a locked and a deleted account, who are told so once the passkey was right', async () => {
    await server.rows(`update "user" set "lockedAt" = now() where "id" = '${ann.id}'`)
    await server.rows(`update "user" set "deletedAt" = now() where "id" = '${bob.id}'`)
    expect((await enterBy(server, own)).body.code).toBe('user.locked')
    expect((await enterBy(server, (options) => bob.passkey.use(options))).body.code).toBe('user.deleted')
    expect((await enterBy(server, (options) => ann.passkey.use(options, { verified: false }))).body.code).toBe(
      'passkey.refused',
    )
    const denied = await lines(`"actorId" in ('${ann.id}', '${bob.id}') and "result" = 'DENIED'`)
    expect(denied.map(({ reason }) => reason)).toEqual(['user.locked', 'user.deleted'])
  })

  it('from an address that has failed twenty times in a quarter of an hour, also a right one', async () => {
    const ip = '198.51.100.20'
    const wrong = (options: Options) => ann.passkey.use(options, { verified: false })
    const statuses = []
    for (let time = 0; time < 20; time++) statuses.push((await enterBy(server, wrong, ip)).status)
    expect(statuses).toEqual(Array(20).fill(400))
    expect((await enterBy(server, own, ip)).status).toBe(429)
    expect((await enterBy(server, own, '198.51.100.21')).status).toBe(200)
    const letters = (await server.mails()).filter(({ to }) => to === ann.email).map(({ subject }) => subject)
    expect(letters).toContain('Someone is trying to sign in as you')
  })

  it('before it is looked at, when the body has not the form of the standard', async () => {
    const begun = await server.call('POST', 'auth/passkey')
    const right = own(begun.body.options as Options)
    const put = (response: object) => server.call('PUT', 'auth/passkey', { body: { browser: begun.body.browser, response } })
    for (const wrong of [{}, { ...right, id: 'no base64url!' }, { ...right, extra: 1 }, { ...right, response: {} }])
      expect((await put(wrong)).body.code).toBe('invalid')
    const long = { ...right, response: { ...right.response, signature: 'A'.repeat(9_000) } }
    expect((await put(long)).status).toBe(413)
  })
})

describe.each(oneEngine(import.meta.filename))('passkeys and roles of the provider on $name', (engine) => {
  it('do not sign in a role that has no password sign-in either', async () => {
    const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'console', OIDC_ONLY: 'client' }
    const server = await openPeopleServer(engine, provider)
    try {
      const root = await addHolder(server, 'root@example.com', 'admin')
      expect((await enterBy(server, (options) => root.passkey.use(options))).status).toBe(200)
      await server.rows(`update "user" set "role" = 'client' where "id" = '${root.id}'`)
      const refused = await enterBy(server, (options) => root.passkey.use(options))
      expect([refused.status, refused.body.code]).toEqual([403, 'oidc.only'])
      const [line] = await server.rows(`select "result", "reason" from "auditLog" order by "at" desc, "id" desc limit 1`)
      expect(line).toEqual({ result: 'DENIED', reason: 'oidc.only' })
    } finally {
      await server.close()
    }
  })
})

describe.each(oneEngine(import.meta.filename))(
  'a console at an address that browsers take no passkeys on, on $name',
  (engine) => {
    it.each(['http://console.example', 'https://192.0.2.7', 'https://[2001:db8::7]'])('has no such calls: %s', async (url) => {
      const server = await openPeopleServer(engine, { PUBLIC_URL: url })
      try {
        const { token } = await server.signedIn({ email: 'ann@example.com', role: 'client' })
        expect((await server.call('GET', 'auth/methods')).body.passkeyOrigin).toBeNull()
        expect((await server.call('GET', 'auth/factor', { token })).body.passkeyOrigin).toBeNull()
        expect((await server.call('POST', 'auth/passkey')).status).toBe(404)
        expect((await server.call('POST', 'auth/factor/passkey', { token })).status).toBe(404)
        expect((await server.call('POST', 'auth/confirm/passkey', { token })).status).toBe(404)
      } finally {
        await server.close()
      }
    })
  },
)
