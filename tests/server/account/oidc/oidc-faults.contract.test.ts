import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { goodPassword } from '#tests/support/people-server.ts'
import { ProviderBrowser } from '#tests/support/provider-browser.ts'
import { openProviderServer, type ProviderServer } from '#tests/support/provider-server.ts'

describe.each(engines)('a sign-in through the provider on $name is refused', (engine) => {
  let server: ProviderServer
  let count = 0
  let email = ''
  beforeAll(async () => {
    server = await openProviderServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.people.pass(16 * 60)
    email = `otto-${++count}@example.com`
    server.account(`otto-${count}`, { email, email_verified: true })
    server.provider.forge = (payload) => payload
    server.provider.isWrongKey = false
    await server.people.addUser({ email, role: 'client' })
  })
  const back = async () => {
    const { url, browser } = await server.begin()
    const { search } = await new ProviderBrowser().signIn(url)
    return { query: search.slice(1), browser }
  }
  const refused = async (answer: ReturnType<ProviderServer['signIn']>) => {
    const { status, body } = await answer
    expect(body.accessToken).toBeUndefined()
    return [status, body.code]
  }
  const reasons = async () =>
    (await server.people.rows(`select "reason" from "auditLog" where "result" = 'DENIED' order by "at", "id"`)).map(
      ({ reason }) => reason,
    )

  it('with another state, and with that of another browser', async () => {
    const { query, browser } = await back()
    const other = new URLSearchParams(query)
    other.set('state', `enter-${'x'.repeat(43)}`)
    expect(await refused(server.finish(other.toString(), browser))).toEqual([410, 'oidc.dead'])
    const stranger = await server.begin()
    expect(await refused(server.finish(query, stranger.browser))).toEqual([410, 'oidc.dead'])
    expect((await server.finish(query, browser)).status).toBe(200)
  })

  it('with a code that was used, also when the first one came to nothing', async () => {
    const used = await back()
    expect((await server.finish(used.query, used.browser)).status).toBe(200)
    expect(await refused(server.finish(used.query, used.browser))).toEqual([410, 'oidc.dead'])
    const mixed = await back()
    const code = new URLSearchParams(used.query).get('code') ?? ''
    const replay = new URLSearchParams(mixed.query)
    replay.set('code', code)
    expect(await refused(server.finish(replay.toString(), mixed.browser))).toEqual([400, 'oidc.refused'])
    expect(await refused(server.finish(mixed.query, mixed.browser))).toEqual([410, 'oidc.dead'])
  })

  it('after ten minutes', async () => {
    const { query, browser } = await back()
    server.people.pass(601)
    expect(await refused(server.finish(query, browser))).toEqual([410, 'oidc.dead'])
  })

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an end that is over', { exp: 1_700_000_000 }],
  ])('with a token of %s', async (_, change) => {
    server.provider.forge = (payload) => ({ ...payload, ...change })
    expect(await refused(server.signIn())).toEqual([400, 'oidc.refused'])
  })

  it('with a token that another key has signed, and with another verifier', async () => {
    server.provider.isWrongKey = true
    expect(await refused(server.signIn())).toEqual([400, 'oidc.refused'])
    server.provider.isWrongKey = false
    const { query, browser } = await back()
    await server.people.rows(`update "oidcAttempt" set "verifier" = '${'v'.repeat(43)}'`)
    expect(await refused(server.finish(query, browser))).toEqual([400, 'oidc.refused'])
  })

  it('when the person cancels at the provider', async () => {
    const { url, browser } = await server.begin()
    const state = new URL(url).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: server.provider.issuer }).toString()
    expect(await refused(server.finish(query, browser))).toEqual([400, 'oidc.refused'])
  })

  it('with an address that the provider has not verified, or has not given', async () => {
    for (const claims of [{ email, email_verified: false }, { email }, {}]) {
      server.account(`loose-${++count}`, claims)
      expect(await refused(server.signIn())).toEqual([403, 'oidc.email-unverified'])
    }
    expect((await reasons()).at(-1)).toBe('oidc.email-unverified')
  })

  it('for nobody’s address, and for one whose invitation was revoked', async () => {
    server.account(`nobody-${count}`, { email: `nobody-${count}@example.com`, email_verified: true })
    expect(await refused(server.signIn())).toEqual([403, 'oidc.uninvited'])
    await server.people.addUser({ email: `was-${email}`, role: 'client', password: null })
    server.account(`was-${count}`, { email: `was-${email}`, email_verified: true })
    const { status, body } = await server.signIn()
    expect([status, body.code, body.message]).toEqual([
      403,
      'oidc.uninvited',
      'There is no account here for your e-mail address. Ask an administrator to invite you',
    ])
    expect((await reasons()).at(-1)).toBe('oidc.uninvited')
  })

  it('for a locked and a deleted account', async () => {
    for (const column of ['lockedAt', 'deletedAt'] as const) {
      await server.people.rows(`update "user" set "lockedAt" = null where "email" = '${email}'`)
      await server.people.rows(`update "user" set "${column}" = now() where "email" = '${email}'`)
      expect(await refused(server.signIn())).toEqual([423, column === 'lockedAt' ? 'user.locked' : 'user.deleted'])
    }
    expect((await reasons()).slice(-2)).toEqual(['user.locked', 'user.deleted'])
  })

  it('for an account that is linked with another one of the provider: an address may have gone to another person', async () => {
    expect((await server.signIn()).status).toBe(200)
    server.account(`heir-${count}`, { email, email_verified: true })
    expect(await refused(server.signIn())).toEqual([403, 'oidc.other-account'])
  })

  it('when it comes too often, and the password still works', async () => {
    for (let time = 0; time < 20; time++) await server.finish('state=x', 'x'.repeat(43))
    expect(await refused(server.finish('state=x', 'x'.repeat(43)))).toEqual([429, 'too-many-logins'])
    expect((await server.people.login(email, goodPassword, { ip: '203.0.113.9' })).status).toBe(200)
  })

  it('while the provider is down: at once, and password sign-in goes on', async () => {
    const fresh = await openProviderServer(engine)
    await fresh.people.addUser({ email, role: 'client' })
    await fresh.provider.down()
    const begin = () => fresh.people.call('POST', 'auth/oidc', { body: {} })
    const first = await begin()
    expect([first.status, first.body.code, first.headers['retry-after']]).toEqual([503, 'oidc.unavailable', '1'])
    const before = performance.now()
    expect((await begin()).body.code).toBe('oidc.unavailable')
    expect(performance.now() - before).toBeLessThan(500)
    expect((await fresh.people.login(email)).status).toBe(200)
    await fresh.provider.up()
    await new Promise((resolve) => setTimeout(resolve, 1100))
    fresh.account('back', { email, email_verified: true })
    expect((await fresh.signIn()).status).toBe(200)
    await fresh.close()
  })
})
