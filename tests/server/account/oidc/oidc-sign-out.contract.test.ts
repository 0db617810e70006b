import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addProtected } from '#tests/support/authenticator.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { ProviderBrowser } from '#tests/support/provider-browser.ts'
import { consoleUrl, openProviderServer, type ProviderServer } from '#tests/support/provider-server.ts'

describe.each(oneEngine(import.meta.filename))('a sign-out at the provider on $name', (engine) => {
  let server: ProviderServer
  let count = 0
  let email = ''
  beforeAll(async () => {
    server = await openProviderServer(engine, {
      env: { OIDC_SIGN_OUT: 'true', SECRETS_KEY: 'a-key-of-more-than-thirty-two-signs' },
    })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    email = `nora-${++count}@example.com`
    server.account(`nora-${count}`, { email, email_verified: true })
  })
  const signInBy = async (browser: ProviderBrowser) => {
    const begun = await server.begin()
    const back = await browser.signIn(begun.url)
    return server.finish(back.search.slice(1), begun.browser)
  }
  const signOut = (token: unknown) => server.people.call('POST', 'auth/logout', { token: String(token), body: {} })
  const keptTokens = () => server.people.rows(`select "providerToken" from "session" where "providerToken" is not null`)

  it('follows that of a session that the provider has opened, and leads back to the sign-in page', async () => {
    await server.people.addUser({ email, role: 'moderator' })
    const browser = new ProviderBrowser()
    const { body } = await signInBy(browser)
    expect(await browser.isAsked((await server.begin()).url)).toBe(false)
    expect(JSON.stringify(await keptTokens())).not.toContain('eyJ')
    const ended = await signOut(body.accessToken)
    expect(ended.status).toBe(200)
    const url = new URL(String(ended.body.providerUrl))
    expect(url.origin).toBe(server.provider.issuer)
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'id_token_hint', 'post_logout_redirect_uri'])
    expect((await browser.signOut(url.href)).href).toBe(`${consoleUrl}/login`)
    expect(await browser.isAsked((await server.begin()).url)).toBe(true)
    expect((await server.people.call('GET', 'auth/me', { token: String(body.accessToken) })).status).toBe(401)
    expect(await keptTokens()).toEqual([])
  })

  it('follows behind a second factor as well', async () => {
    const { app } = await addProtected(server.people, email)
    const { status, body } = await signInBy(new ProviderBrowser())
    expect(status).toBe(202)
    const code = { challenge: body.challenge, code: app.codeAt(server.people.now) }
    const entered = await server.people.call('POST', 'auth/challenge/code', { body: code })
    const ended = await signOut(entered.body.accessToken)
    expect(new URL(String(ended.body.providerUrl)).searchParams.has('id_token_hint')).toBe(true)
  })

  it('is not asked of who came by a password', async () => {
    const { token } = await server.people.signedIn({ email, role: 'client' })
    expect((await signOut(token)).status).toBe(204)
  })

  it('is not left out where the provider answers slowly by now', async () => {
    await server.people.addUser({ email, role: 'client' })
    const { body } = await signInBy(new ProviderBrowser())
    const hourAhead = performance.now() + 2 * 3_600_000
    vi.spyOn(performance, 'now').mockReturnValue(hourAhead)
    server.provider.slowMs = 3_000
    const startedAt = Date.now()
    const ended = await signOut(body.accessToken)
    expect(Date.now() - startedAt).toBeLessThan(900)
    expect(ended.body.providerUrl).toContain(server.provider.issuer)
    server.provider.slowMs = 0
  })

  it('holds nobody up while the provider is down', async () => {
    const other = await openProviderServer(engine, { env: { OIDC_SIGN_OUT: 'true' } })
    await other.people.addUser({ email, role: 'client' })
    other.account('nora', { email, email_verified: true })
    const { accessToken } = (await other.signIn()).body
    await other.provider.down()
    const startedAt = performance.now()
    expect([200, 204]).toContain(
      (await other.people.call('POST', 'auth/logout', { token: String(accessToken), body: {} })).status,
    )
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect((await other.people.call('GET', 'auth/me', { token: String(accessToken) })).status).toBe(401)
    await other.people.close()
  })
})

describe.each(oneEngine(import.meta.filename))('a sign-out without the setting on $name', (engine) => {
  it('leaves the session at the provider alone, and keeps none of its tokens', async () => {
    const server = await openProviderServer(engine)
    const email = 'paul@example.com'
    await server.people.addUser({ email, role: 'client' })
    server.account('paul', { email, email_verified: true })
    const { accessToken } = (await server.signIn()).body
    expect(await server.people.rows(`select from "session" where "providerToken" is not null`)).toEqual([])
    expect((await server.people.call('POST', 'auth/logout', { token: String(accessToken), body: {} })).status).toBe(204)
    await server.close()
  })
})
