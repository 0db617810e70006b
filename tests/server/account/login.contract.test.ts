import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPasswords, usualCost } from '#server/account/session/password.ts'
import { signIn } from '#server/account/session/sign-in.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(oneEngine(import.meta.filename))('signing in on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let email = ''
  let address = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    email = `somebody-${++count}@example.com`
    address = `198.51.100.${count}`
    await server.addUser({ email, role: 'client' })
  })

  const login = (password = goodPassword, who = email, ip = address) => server.login(who, password, { ip })
  const told = ({ status, body: { requestId, ...rest } }: Awaited<ReturnType<typeof login>>) => ({ status, rest })
  const fail = async (times: number) => {
    for (let time = 0; time < times; time++) expect((await login('wrong-password')).status).toBe(401)
  }

  it('answers a token, its end and the user, whatever the case of the address', async () => {
    const { status, body } = await login(goodPassword, ` ${email.toUpperCase()} `)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { email, role: 'client', firstName: 'Ann', lastName: 'Lee', language: null, timezone: null },
    })
    const [row] = await server.rows(`select "lastLoginAt", "failedLoginCount" from "user" where "email" = '${email}'`)
    expect(row).toEqual({ lastLoginAt: new Date(server.now).toISOString(), failedLoginCount: 0 })
  })

  it('tells a wrong password, an unknown address, a locked, deleted and invited account alike', async () => {
    await server.addUser({ email: `locked-${count}@example.com`, role: 'client' })
    await server.addUser({ email: `deleted-${count}@example.com`, role: 'client' })
    await server.addUser({ email: `invited-${count}@example.com`, role: 'client', password: null })
    await server.rows(`update "user" set "lockedAt" = now() where "email" = 'locked-${count}@example.com'`)
    await server.rows(`update "user" set "deletedAt" = now() where "email" = 'deleted-${count}@example.com'`)
    const wrong = told(await login('wrong-password'))
    expect(wrong.status).toBe(401)
    expect(wrong.rest.message).toBe('E-mail or password is wrong')
    for (const who of ['nobody', 'locked', 'deleted', 'invited'])
      expect(told(await login('wrong-password', `${who}-${count}@example.com`)), who).toEqual(wrong)
    expect((await login(goodPassword, `locked-${count}@example.com`)).body).toMatchObject({
      statusCode: 423,
      code: 'user.locked',
    })
    expect((await login(goodPassword, `deleted-${count}@example.com`)).body).toMatchObject({
      statusCode: 423,
      code: 'user.deleted',
    })
    expect(
      await server.rows(
        `select s."id" from "session" s join "user" u on u."id" = s."userId" where u."email" like '%ed-${count}@example.com'`,
      ),
    ).toEqual([])
  })

  it('refuses the sixth try within a quarter of an hour, also with the right password, and forgets after it', async () => {
    await fail(5)
    const refused = await login('wrong-password')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBe(900)
    server.pass(60)
    const right = await login()
    expect(right.body).toMatchObject({ statusCode: 429, code: 'too-many-logins' })
    expect(Number(right.headers['retry-after'])).toBe(840)
    server.pass(841)
    expect((await login()).status).toBe(200)
  })

  it('counts an account whatever the case or the forwarded address', async () => {
    const variants = [email, email.toUpperCase(), ` ${email}`, `${email} `, email.replace('s', 'S')]
    for (const [index, who] of variants.entries()) {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` }
      const { status } = await server.login(who, 'wrong-password', { ip: address, headers })
      expect(status).toBe(401)
    }
    expect((await login()).status).toBe(429)
    const extra = { email, password: goodPassword, role: 'admin', attempt: 1 }
    expect((await server.call('POST', 'auth/login', { body: extra, ip: address })).status).toBe(429)
  })

  it('keeps nobody out by failures from elsewhere: they slow down, and the owner is told', async () => {
    const token = await server.tokenOf(email)
    for (const ip of [`192.0.2.${count * 2}`, `192.0.2.${count * 2 + 1}`])
      for (let time = 0; time < 6; time++) expect((await login('wrong-password', email, ip)).status).toBe(time < 5 ? 401 : 429)
    const letters = (await server.mails()).filter(({ to }) => to === email)
    expect(letters.map(({ subject }) => subject)).toEqual(['Someone is trying to sign in as you'])
    const self = (await server.call('GET', 'auth/me', { token })).body.user as { id: string }
    const changed = { password: goodPassword, newPassword: 'verdigris-lamp-77' }
    const started = performance.now()
    expect((await login()).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThan(900)
    expect((await server.call('PUT', `user/${self.id}/password`, { token, body: changed })).status).toBe(200)
    const again = performance.now()
    expect((await login('verdigris-lamp-77')).status).toBe(200)
    expect(performance.now() - again).toBeLessThan(900)
  })

  describe('while the password is looked at', () => {
    /** Something happens after it was found right, and before a session is there. */
    const meanwhile = async (act: () => Promise<unknown>) => {
      const passwords = createPasswords({ memoryKiB: 64, passes: 1 })
      const verify: typeof passwords.verify = async (...asked) => {
        const isRight = await passwords.verify(...asked)
        await act()
        return isRight
      }
      const { database } = server
      const context = {
        database,
        clock: () => new Date(server.now),
        config: { tokenTtlS: 900, requireSecondFactor: [], oidcOnly: [], publicUrl: 'https://console.example' },
      }
      const asked = { email, password: goodPassword, ip: address, label: '', requestId: '' }
      return signIn(context, { ...passwords, verify }, asked)
    }
    const sessions = () =>
      server.rows(`select s."id" from "session" s join "user" u on u."id" = s."userId" where u."email" = '${email}'`)

    it('opens no session by a password that is another one by now', async () => {
      const changed = meanwhile(() =>
        server.rows(`update "credential" set "passwordHash" = 'other', "changedAt" = "changedAt" + interval '1 s'
          where "userId" = (select "id" from "user" where "email" = '${email}')`),
      )
      await expect(changed).rejects.toMatchObject({ code: 'login-failed' })
      expect(await sessions()).toEqual([])
    })

    it.each([
      ['locked', 'lockedAt'],
      ['deleted', 'deletedAt'],
    ])('opens no session for who is %s by now', async (state, column) => {
      const barred = meanwhile(() => server.rows(`update "user" set "${column}" = now() where "email" = '${email}'`))
      await expect(barred).rejects.toMatchObject({ code: `user.${state}` })
      expect(await sessions()).toEqual([])
    })

    it('opens one for each of those who sign in at once when the password is hashed again', async () => {
      await server.rows(`update "credential" set "passwordHash" = '${await createPasswords({ memoryKiB: 32, passes: 1 }).hash(goodPassword)}'
        where "userId" = (select "id" from "user" where "email" = '${email}')`)
      const statuses = (await Promise.all(Array.from({ length: 4 }, () => login()))).map(({ status }) => status)
      expect(statuses).toEqual([200, 200, 200, 200])
    })
  })

  it('starts over after a success', async () => {
    await fail(4)
    expect((await login()).status).toBe(200)
    await fail(4)
    expect((await login()).status).toBe(200)
  })

  it('counts twenty tries at the same moment one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => login('wrong-password')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('refuses an address after twenty failures over many accounts, a neighbour in the same /64 with it', async () => {
    const ip = `2001:db8:0:${count}::1`
    for (let time = 0; time < 20; time++)
      expect((await login('wrong-password', `guess-${count}-${time}@example.com`, ip)).status).toBe(401)
    expect((await login(goodPassword, email, ip)).status).toBe(429)
    expect((await login(goodPassword, email, `2001:db8:0:${count}:ffff::2`)).status).toBe(429)
    expect((await login()).status).toBe(200)
  })

  it.each([
    [{ email: ['a@b.example'], password: 'x' }],
    [{ email: { a: 1 }, password: 'x' }],
    [{ email: null, password: 'x' }],
    [{ email: 7, password: 'x' }],
    [{ email: 'a@b.example', password: 7 }],
    [{ email: 'a@b.example', password: '' }],
    [{ email: 'a@b.example', password: 'x'.repeat(7_000) }],
    [{ email: 'Ädmin@example.com', password: 'x' }],
    [{ email: 'admın@example.com', password: 'x' }],
    [{ email: 'admin@example.com.', password: 'x' }],
    [{ email: 'admin＠example.com', password: 'x' }],
    [{}],
  ])('finds fault with %j', async (body) => {
    const { status, body: answer } = await server.call('POST', 'auth/login', { body, ip: '198.51.100.200' })
    expect(status).toBe(400)
    expect(answer.code).toBe('invalid')
  })

  it('writes every try to the audit log, without the password', async () => {
    await fail(1)
    await login()
    const rows = await server.rows(
      `select "action", "result", "code", "ip", "before", "after" from "auditLog" where "code" = '${email}' order by "id"`,
    )
    expect(rows).toEqual([
      { action: 'login', result: 'FAILED', code: email, ip: address, before: null, after: null },
      { action: 'login', result: 'OK', code: email, ip: address, before: null, after: null },
    ])
    expect(JSON.stringify(await server.rows('select * from "auditLog"'))).not.toContain(goodPassword)
  })

  it('tells passwords apart that only differ at the end, and hashes again at today’s cost', async () => {
    const long = `${'long enough '.repeat(7)}`
    await server.addUser({ email: `long-${count}@example.com`, role: 'client', password: `${long}one` })
    expect((await login(`${long}two`, `long-${count}@example.com`)).status).toBe(401)
    const dear = await createPasswords({ memoryKiB: 128, passes: 1 }).hash(goodPassword)
    await server.rows(
      `update "credential" set "passwordHash" = '${dear}' where "userId" = (select "id" from "user" where "email" = '${email}')`,
    )
    expect((await login()).status).toBe(200)
    const [row] = await server.rows<{ hash: string }>(
      `select "passwordHash" as "hash" from "credential" where "userId" = (select "id" from "user" where "email" = '${email}')`,
    )
    expect(row?.hash).toContain('m=64,t=1')
    expect((await login()).status).toBe(200)
  })
})

describe('the cost of a password', () => {
  it('is the same for an account that is not there', async () => {
    const passwords = createPasswords(usualCost)
    const stored = await passwords.hash(goodPassword)
    const took = async (hash: string | undefined) => {
      const from = performance.now()
      expect(await passwords.verify(hash, 'something else')).toBe(false)
      return performance.now() - from
    }
    await took(undefined)
    // In turns, so that whatever else the machine does meets both alike.
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let time = 0; time < 21; time++) {
      known.push(await took(stored))
      unknown.push(await took(undefined))
    }
    // The quickest of each: a busy machine only ever adds to what the work itself takes.
    const ratio = Math.min(...known) / Math.min(...unknown)
    expect(ratio).toBeGreaterThan(0.67)
    expect(ratio).toBeLessThan(1.5)
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})
