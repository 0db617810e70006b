import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayMs } from '#schema/format/durations.ts'
import { keepHouse } from '#server/account/housekeeping-part.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const tokenOf = (digit: string) => digit.repeat(64)

describe.each(oneEngine(import.meta.filename))('a device that has signed in before, on $name,', (engine) => {
  let server: PeopleServer
  let count = 0
  let email = ''
  let ip = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    email = `device-${++count}@example.com`
    ip = `203.0.113.${count}`
    await server.addUser({ email, role: 'admin' })
  })

  const login = (device: string | undefined, password = goodPassword, who = email) =>
    server.login(who, password, { ip, headers: device === undefined ? {} : { 'x-sign-in-device': device } })
  const statusOf = async (...asked: Parameters<typeof login>) => (await login(...asked)).status
  const fail = async (device: string | undefined, times: number) => {
    for (let time = 0; time < times; time++) expect(await statusOf(device, 'wrong-password')).toBe(401)
  }
  const devices = () =>
    server.rows<{ hash: string }>(
      `select "hash" from "signInDevice" "d" join "user" "u" on "u"."id" = "d"."userId" where "u"."email" = '${email}'`,
    )

  it('signs in while a person behind the same address has used up the attempts there', async () => {
    expect(await statusOf(tokenOf('a'))).toBe(200)
    await fail(undefined, 5)
    expect(await statusOf(undefined)).toBe(429)
    expect(await statusOf(tokenOf('a'))).toBe(200)
  })

  it('signs in while the address has used up its attempts at all accounts', async () => {
    expect(await statusOf(tokenOf('a'))).toBe(200)
    for (let time = 0; time < 20; time++)
      expect(await statusOf(undefined, 'wrong-password', `nobody-${time}@example.com`)).toBe(401)
    expect(await statusOf(undefined, goodPassword, 'nobody-x@example.com')).toBe(429)
    expect(await statusOf(tokenOf('a'))).toBe(200)
  })

  it('has five attempts of its own, and takes none of those of others', async () => {
    expect(await statusOf(tokenOf('a'))).toBe(200)
    expect(await statusOf(tokenOf('b'))).toBe(200)
    await fail(tokenOf('a'), 5)
    expect(await statusOf(tokenOf('a'))).toBe(429)
    expect(await statusOf(tokenOf('b'))).toBe(200)
  })

  it('is one of its account only, and only with a right password before', async () => {
    await server.addUser({ email: `other-${count}@example.com`, role: 'client' })
    expect(await statusOf(tokenOf('c'), goodPassword, `other-${count}@example.com`)).toBe(200)
    await fail(tokenOf('d'), 5)
    for (const device of [tokenOf('c'), tokenOf('d'), 'short', tokenOf('G')]) expect(await statusOf(device), device).toBe(429)
  })

  it('is known no more after a new password, which another person may have had', async () => {
    const signedIn = await login(tokenOf('e'))
    const { id } = (await server.call('GET', 'auth/me', { token: String(signedIn.body.accessToken) })).body.user as {
      id: string
    }
    const changed = await server.call('PUT', `user/${id}/password`, {
      token: String(signedIn.body.accessToken),
      body: { password: goodPassword, newPassword: 'other-lantern-river-7' },
    })
    expect(changed.status).toBe(200)
    expect(await devices()).toEqual([])
    await fail(undefined, 5)
    expect(await statusOf(tokenOf('e'), 'other-lantern-river-7')).toBe(429)
  })

  it('is stored as a hash, one of twenty at most, for ninety days, and goes with its person', async () => {
    const tokens = Array.from({ length: 22 }, (_, index) => index.toString(16).padStart(64, '0'))
    for (const token of tokens) {
      server.pass(1)
      expect(await statusOf(token)).toBe(200)
    }
    const kept = await devices()
    expect(kept).toHaveLength(20)
    for (const { hash } of kept) expect(tokens).not.toContain(hash)
    await fail(tokens[0], 5)
    expect([await statusOf(tokens[0]), await statusOf(tokens[21])]).toEqual([429, 200])
    server.pass((91 * dayMs) / 1_000)
    await keepHouse(server.context)
    expect(await devices()).toEqual([])

    expect(await statusOf(tokens[0])).toBe(200)
    await server.rows(`update "user" set "deletedAt" = now(), "purgeAt" = '2000-01-01' where "email" = '${email}'`)
    await keepHouse(server.context)
    expect(await server.rows('select "userId" from "signInDevice" where "userId" not in (select "id" from "user")')).toEqual([])
  })
})
