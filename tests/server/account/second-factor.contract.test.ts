import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isKnownAddress } from '#server/account/factor/known-address.ts'
import { addProtected, challengeOf, giveCode, type Protected } from '#tests/support/authenticator.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(oneEngine(import.meta.filename))('a sign-in with a second factor on $name', (engine) => {
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

  const code = (stepsOff = 0) => ann.app.codeAt(server.now, stepsOff)
  const challenge = () => challengeOf(server, ann.email)
  const give = (typed: string, opened?: string, ip?: string) =>
    opened ? giveCode(server, opened, typed, ip) : challenge().then((made) => giveCode(server, made, typed, ip))
  const lettersTo = async (email: string) =>
    (await server.mails()).flatMap(({ to, subject }) => (to === email ? [subject] : []))
  const lines = () =>
    server.rows(
      `select "action", "result", "reason", "after" from "auditLog" where "actorId" = '${ann.id}' order by "at", "id"`,
    )

  it('answers a right password with a challenge alone, and a code with the session', async () => {
    const first = await server.login(ann.email)
    expect(first.status).toBe(202)
    expect(Object.keys(first.body).sort()).toEqual(['challenge', 'expiresAt', 'step', 'ways'])
    expect([first.body.step, first.body.ways]).toEqual(['code', ['app']])
    const second = await give(code(), String(first.body.challenge))
    expect(second.status).toBe(200)
    expect(second.body).toMatchObject({ user: { email: ann.email, role: 'client' } })
    const token = String(second.body.accessToken)
    expect((await server.call('GET', 'auth/me', { token })).status).toBe(200)
    expect((await lines()).slice(-2)).toMatchObject([
      { action: 'challenge', result: 'OK' },
      { action: 'login', result: 'OK', reason: 'totp' },
    ])
  })

  it('says nothing of a second factor before the password is right', async () => {
    await server.addUser({ email: `plain-${count}@example.com`, role: 'client' })
    const told = async (email: string) => {
      const { status, body } = await server.login(email, 'wrong-password')
      return { status, ...body, requestId: '' }
    }
    expect(await told(ann.email)).toEqual(await told(`plain-${count}@example.com`))
    expect(await told(ann.email)).toEqual(await told(`nobody-${count}@example.com`))
  })

  it('accepts a clock that is off by one step either way, and none that is off by two', async () => {
    expect((await give(code(-2))).status).toBe(400)
    expect((await give(code(2))).status).toBe(400)
    expect((await give(code(-1))).status).toBe(200)
    server.pass(60)
    expect((await give(code(1))).status).toBe(200)
  })

  it('takes a code once: not again within its period, and no older one after it', async () => {
    const [older, used] = [code(-1), code()]
    expect((await give(used)).status).toBe(200)
    for (const again of [used, older]) {
      const { status, body } = await give(again)
      expect([again, status, body.code]).toEqual([again, 400, 'wrong-code'])
    }
    server.pass(30)
    expect((await give(used)).body.code).toBe('wrong-code')
    expect((await give(code())).status).toBe(200)
  })

  it('gives one session to twenty who send the same code at the same moment', async () => {
    const opened = await challenge()
    const ips = Array.from({ length: 20 }, (_, index) => `203.0.113.${index + 1}`)
    const answers = await Promise.all(ips.map((ip) => give(code(), opened, ip)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('gives one session to ten who send ten recovery codes at the same moment', async () => {
    const opened = await challenge()
    const answers = await Promise.all(ann.recoveryCodes.map((typed, index) => give(typed, opened, `203.0.113.${index + 1}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('opens a challenge once, for five minutes, and not for another password', async () => {
    const used = await challenge()
    expect((await give(code(), used)).status).toBe(200)
    server.pass(30)
    expect((await give(code(), used)).body.code).toBe('challenge.dead')
    const late = await challenge()
    server.pass(301)
    expect((await give(code(), late)).body.code).toBe('challenge.dead')
    const overtaken = await challenge()
    await server.rows(`update "credential" set "changedAt" = "changedAt" + interval '1 s' where "userId" = '${ann.id}'`)
    expect((await give(code(), overtaken)).status).toBe(410)
    expect((await give(code(), 'x'.repeat(43))).status).toBe(410)
  })

  it('bars who was locked after the password', async () => {
    const opened = await challenge()
    await server.rows(`update "user" set "lockedAt" = now() where "id" = '${ann.id}'`)
    expect((await give(code(), opened)).body.code).toBe('user.locked')
  })

  it('refuses the sixth code within a quarter of an hour, also the right one, and counts on over new challenges', async () => {
    for (let time = 0; time < 5; time++) expect((await give('000000')).status).toBe(400)
    expect((await give(code())).status).toBe(429)
    server.pass(60)
    const elsewhere = await challengeOf(server, ann.email, '203.0.113.7')
    expect((await give(code(), elsewhere)).status).toBe(429)
    expect((await give(code(), elsewhere, '203.0.113.7')).status).toBe(200)
  })

  it('stops a guesser who has the password after twenty codes from anywhere, and tells the owner', async () => {
    const ips = Array.from({ length: 21 }, (_, index) => `203.0.113.${index + 1}`)
    const opened = await Promise.all(ips.map((ip) => challengeOf(server, ann.email, ip)))
    const statuses: number[] = []
    for (const [index, ip] of ips.entries())
      statuses.push((await give(index < 20 ? '000000' : code(), opened[index], ip)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429])
    expect(await lettersTo(ann.email)).toContain('Someone is trying to sign in as you')
  })

  it('lets its owner in by a known address or a recovery code after a stranger has used up the codes of an hour', async () => {
    const home = '198.51.100.4'
    expect((await give(code(), await challengeOf(server, ann.email, home), home)).status).toBe(200)
    server.pass(30)
    const [stranger, hotel] = ['203.0.113.99', '198.51.100.77']
    const strange = Array.from({ length: 20 }, (_, index) => `203.0.113.${index + 1}`)
    const opened = new Map<string, string>()
    // All before the first failure: the password of an account under attack is answered late.
    for (const ip of [...strange, stranger, home, hotel]) opened.set(ip, await challengeOf(server, ann.email, ip))
    const statusOf = async (typed: string, ip: string) => (await give(typed, opened.get(ip), ip)).status
    for (const ip of strange) expect(await statusOf('000000', ip)).toBe(400)
    expect(await statusOf(code(), stranger)).toBe(429)
    expect(await statusOf(code(), home)).toBe(200)
    expect(await statusOf(ann.recoveryCodes[0] ?? '', hotel)).toBe(200)
  })

  it('knows an address by a sign-in with the second factor alone, for thirty days, and allows it five wrong codes', async () => {
    const [home, elsewhere] = ['198.51.100.5', '198.51.100.6']
    const bob = await server.addUser({ email: `bob-${count}@example.com`, role: 'client' })
    expect((await server.login(`bob-${count}@example.com`, undefined, { ip: elsewhere })).status).toBe(200)
    const known = (userId: string, ip: string) =>
      isKnownAddress(server.database.kysely, { userId, ip, now: new Date(server.now) })
    expect((await give(code(), await challengeOf(server, ann.email, home), home)).status).toBe(200)
    const own = await Promise.all([known(ann.id, home), known(ann.id, elsewhere), known(bob, elsewhere), known(bob, home)])
    expect(own).toEqual([true, false, false, false])
    for (let time = 0; time < 5; time++)
      expect((await give('000000', await challengeOf(server, ann.email, home), home)).status).toBe(400)
    expect((await give(code(1), await challengeOf(server, ann.email, home), home)).status).toBe(429)
    server.pass(30 * 86_400 + 60)
    expect(await known(ann.id, home)).toBe(false)
  })

  it('notes a wrong code', async () => {
    await give('000000')
    expect((await lines()).at(-1)).toMatchObject({ action: 'login', result: 'FAILED', reason: 'wrong-code' })
    const [row] = await server.rows(`select "failedLoginCount" from "user" where "id" = '${ann.id}'`)
    expect(row?.failedLoginCount).toBe(1)
  })

  it('takes a recovery code once, however it is typed, and tells the owner how many are left', async () => {
    const [first = '', second = ''] = ann.recoveryCodes
    expect((await give(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await give(first)).body.code).toBe('wrong-code')
    server.pass(1)
    const { status, body } = await give(second)
    expect(status).toBe(200)
    const letters = (await server.mails()).filter(
      ({ to, subject }) => to === ann.email && subject === 'A recovery code was used',
    )
    expect(letters.map(({ text }) => /left: \d+/.exec(text)?.[0])).toEqual(['left: 9', 'left: 8'])
    const state = await server.call('GET', 'auth/factor', { token: String(body.accessToken) })
    expect(state.body).toMatchObject({ recoveryLeft: 8, required: false })
  })

  it('keeps neither recovery codes nor challenges readable', async () => {
    const opened = await challenge()
    const stored = JSON.stringify([
      await server.rows('select * from "recoveryCode"'),
      await server.rows('select * from "challenge"'),
      await server.rows('select * from "auditLog"'),
    ])
    for (const secret of [opened, ...ann.recoveryCodes, ...ann.recoveryCodes.map((text) => text.replaceAll('-', ''))])
      expect(stored).not.toContain(secret)
    expect(new Set(ann.recoveryCodes).size).toBe(10)
  })

  it('asks for the second factor after a restored password, too', async () => {
    await server.call('POST', 'user/restore-password', { body: { email: ann.email } })
    const link = await server.linkTo(ann.email, '/restore-password')
    const done = await server.call('PUT', 'user/restore-password/complete', {
      body: { token: link, password: 'verdigris-lamp-77' },
    })
    expect(done.status).toBe(200)
    expect((await server.login(ann.email, 'verdigris-lamp-77')).status).toBe(202)
    expect((await server.login(ann.email, goodPassword)).status).toBe(401)
  })
})
