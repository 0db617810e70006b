import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addProtected, challengeOf, giveCode } from '#tests/support/authenticator.ts'
import { engines } from '#tests/support/databases.ts'
import { addHolder, addPasskey, enterBy, type Options, type PasskeyHolder, stepBy } from '#tests/support/passkey-people.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { SoftwarePasskey } from '#tests/support/software-passkey.ts'

describe.each(engines)('a sign-in by a passkey on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let ann: PasskeyHolder
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    ann = await addHolder(server, `ann-${++count}@example.com`)
    server.pass(1)
  })
  const use = (options: Options) => ann.passkey.use(options)
  const lines = (id = ann.id) =>
    server.rows(`select "action", "result", "reason" from "auditLog" where "actorId" = '${id}' order by "at", "id"`)

  it('opens a session by the passkey alone, which is noted', async () => {
    const { status, body } = await enterBy(server, use)
    expect(status).toBe(200)
    expect(body).toMatchObject({ user: { email: ann.email, role: 'client' } })
    const token = String(body.accessToken)
    expect((await server.call('GET', 'auth/me', { token })).status).toBe(200)
    expect((await lines()).at(-1)).toEqual({ action: 'login', result: 'OK', reason: 'passkey' })
    const [own] = (await server.call('GET', 'auth/factor', { token })).body.passkeys as { lastUsedAt: string }[]
    expect(own?.lastUsedAt).toBe(new Date(server.now).toISOString())
  })

  it('asks nobody who it is for: options are alike, and name no passkey', async () => {
    const begin = async () => (await server.call('POST', 'auth/passkey', { ip: '203.0.113.9' })).body.options as Options
    const [first, second] = [await begin(), await begin()]
    expect(first).toEqual({ ...second, challenge: first.challenge })
    expect(first.challenge).not.toBe(second.challenge)
    expect(first).toMatchObject({ rpId: 'console.example', userVerification: 'required' })
    expect(first).not.toHaveProperty('allowCredentials')
  })

  it('is the second step after the password, where the passkey is the second factor', async () => {
    const opened = await server.login(ann.email)
    expect([opened.status, opened.body.step, opened.body.ways]).toEqual([202, 'code', ['passkey']])
    const done = await stepBy(server, String(opened.body.challenge), use)
    expect([done.status, done.body.user]).toEqual([200, expect.objectContaining({ email: ann.email })])
    expect((await lines()).slice(-2)).toEqual([
      { action: 'challenge', result: 'OK', reason: null },
      { action: 'login', result: 'OK', reason: 'passkey' },
    ])
    expect((await stepBy(server, String(opened.body.challenge), use)).body.code).toBe('challenge.dead')
  })

  it('takes a recovery code in place of the passkey, once', async () => {
    const [code = ''] = ann.recoveryCodes
    expect((await giveCode(server, await challengeOf(server, ann.email), code)).status).toBe(200)
    expect((await giveCode(server, await challengeOf(server, ann.email), code)).body.code).toBe('wrong-code')
  })

  it('offers app and passkey to who has both, and takes either', async () => {
    const both = await addProtected(server, `both-${count}@example.com`)
    const passkey = new SoftwarePasskey()
    expect((await addPasskey(server, both.token, passkey)).body.recoveryCodes).toEqual([])
    expect((await server.login(both.email)).body.ways).toEqual(['app', 'passkey'])
    const code = both.app.codeAt(server.now)
    expect((await giveCode(server, await challengeOf(server, both.email), code)).status).toBe(200)
    const step = await stepBy(server, await challengeOf(server, both.email), (options) => passkey.use(options))
    expect(step.status).toBe(200)
  })

  it('opens one session for twenty who send the same answer at the same moment', async () => {
    const begun = await server.call('POST', 'auth/passkey')
    const body = { browser: begun.body.browser, response: use(begun.body.options as Options) }
    const ips = Array.from({ length: 20 }, (_, index) => `203.0.113.${index + 1}`)
    const answers = await Promise.all(ips.map((ip) => server.call('PUT', 'auth/passkey', { ip, body })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body: { code } }) => code === 'passkey.dead')).toHaveLength(19)
  })

  it('keeps neither what a device signs nor the proof of a tab readable', async () => {
    const begun = await server.call('POST', 'auth/passkey')
    const stored = JSON.stringify(await server.rows('select * from "passkeyCeremony"'))
    expect(stored).not.toContain((begun.body.options as Options).challenge)
    expect(stored).not.toContain(begun.body.browser)
  })

  it('begins sixty times in a quarter of an hour from one address, and no more', async () => {
    const ip = '198.51.100.60'
    const statuses = []
    for (let time = 0; time < 61; time++) statuses.push((await server.call('POST', 'auth/passkey', { ip })).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429])
    server.pass(15 * 60 + 1)
    expect((await server.call('POST', 'auth/passkey', { ip })).status).toBe(200)
  })
})
