import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPasswords } from '#server/account/session/password.ts'
import { signIn } from '#server/account/session/sign-in.ts'
import { Problem } from '#server/base/problems.ts'
import { engines } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(engines)('sign-ins at the same moment on $name', (engine) => {
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

  const login = (who = email) => server.login(who, goodPassword, { ip: address })
  const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)

  it('with the right password are all let in, however many', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => login()))
    expect(statusesOf(answers)).toEqual(answers.map(() => 200))
  })

  it('of many people behind one address are all let in', async () => {
    const people = Array.from({ length: 25 }, (_, index) => `crew-${count}-${index}@example.com`)
    for (const who of people) await server.addUser({ email: who, role: 'client' })
    const answers = await Promise.all(people.map((who) => login(who)))
    expect(statusesOf(answers)).toEqual(answers.map(() => 200))
  })

  const counted = () => server.rows(`select 1 from "loginAttempt" where "key" = 'account:${email} ${address}'`)

  /** Sign-ins of this process whose passwords are verified when `judge` says so. */
  function heldBack(password: string) {
    let judge = (): void => undefined
    const judged = new Promise<void>((resolve) => {
      judge = resolve
    })
    const passwords = createPasswords({ memoryKiB: 64, passes: 1 })
    const verify: typeof passwords.verify = async (...asked) => {
      await judged
      return passwords.verify(...asked)
    }
    const config = { tokenTtlS: 900, requireSecondFactor: [], oidcOnly: [], publicUrl: 'https://console.example' }
    const asked = { email, password, ip: address, label: '', requestId: '' }
    const enter = (clock = () => new Date(server.now)) =>
      signIn({ database: server.database, clock, config }, { ...passwords, verify }, asked).then(
        () => 200,
        (error: unknown) => (error instanceof Problem ? error.status : error),
      )
    return { enter, judge: () => judge() }
  }

  async function fiveUnderWay(password: string) {
    const { enter, judge } = heldBack(password)
    const five = Array.from({ length: 5 }, () => enter())
    await vi.waitFor(async () => expect(await counted()).toHaveLength(5))
    return { enter, judge, five }
  }

  it.each([
    ['in when those are right', goodPassword, 200],
    ['out when those are wrong', 'wrong-password', 429],
  ])('let a sixth try wait for the five before it, which is %s', async (_, password, status) => {
    const { enter, judge, five } = await fiveUnderWay(password)
    const clock = vi.fn(() => new Date(server.now))
    const sixth = enter(clock)
    // Each round of waiting asks the time twice.
    await vi.waitFor(() => expect(clock.mock.calls.length).toBeGreaterThan(4), 4_000)
    judge()
    await Promise.all(five)
    expect(await sixth).toBe(status)
  })

  it('let ten wait, and refuse more of them at once', async () => {
    const { enter, judge, five } = await fiveUnderWay(goodPassword)
    const refused: unknown[] = []
    const others = Array.from({ length: 13 }, async () => {
      const status = await enter()
      if (status !== 200) refused.push(status)
      return status
    })
    await vi.waitFor(() => expect(refused).toEqual([429, 429, 429]), 3_000)
    judge()
    await Promise.all([...five, ...others])
    expect(refused).toEqual([429, 429, 429])
  })

  it('count one that nobody finished as failed', async () => {
    const [now, later] = [new Date(server.now).toISOString(), new Date(server.now + 60_000).toISOString()]
    await server.rows(`insert into "loginAttempt" ("key", "at", "openUntil")
      select 'account:${email} ${address}', '${now}', '${later}' from generate_series(1, 5)`)
    server.pass(61)
    expect((await login()).status).toBe(429)
  })

  it('forget those that nobody finished, like others that failed, once the password of a locked account is right', async () => {
    await server.rows(`update "user" set "lockedAt" = now() where "email" = '${email}'`)
    const [now, later] = [new Date(server.now).toISOString(), new Date(server.now + 60_000).toISOString()]
    await server.rows(`insert into "loginAttempt" ("key", "at", "openUntil")
      select 'account:${email} ${address}', '${now}', '${later}' from generate_series(1, 4)`)
    server.pass(61)
    expect((await login()).body).toMatchObject({ code: 'user.locked' })
    expect(await counted()).toEqual([])
  })

  it('leave nothing behind that counts', async () => {
    await Promise.all(Array.from({ length: 12 }, () => login()))
    expect(await counted()).toEqual([])
  })
})
