import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Authenticator } from '#tests/support/authenticator.ts'
import { engines } from '#tests/support/databases.ts'
import { ProviderBrowser } from '#tests/support/provider-browser.ts'
import { consoleUrl, openProviderServer, type ProviderServer } from '#tests/support/provider-server.ts'

describe.each(engines)('a sign-in through the provider on $name', (engine) => {
  let server: ProviderServer
  let count = 0
  let email = ''
  beforeAll(async () => {
    server = await openProviderServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    email = `ida-${++count}@example.com`
    server.account(`ida-${count}`, { email, email_verified: true, given_name: 'Ida', family_name: 'Berg' })
  })
  const add = (role: 'client' | 'moderator' | 'admin' = 'client', password: string | null = null) =>
    server.people.addUser({ email, role, password })
  const invite = async () => {
    const id = await add()
    await server.people.rows(`update "user" set "firstName" = null, "lastName" = null where "id" = '${id}'`)
    await server.people.rows(`insert into "invitation" ("id", "kind", "email", "userId", "role", "state", "delivery", "sentCount")
      values ('inv-${id}', 'ACCOUNT', '${email}', '${id}', 'client', 'PENDING', 'SENT', 1)`)
    return id
  }

  it('is offered to the sign-in page by its label', async () => {
    expect((await server.people.call('GET', 'auth/methods')).body).toMatchObject({ provider: { label: 'Example ID' } })
  })

  it('goes by real HTTP from the button to a session that is renewed and ended as any other', async () => {
    await add('moderator', 'tiny-otter-waves-42')
    await server.people.app.listen({ host: '127.0.0.1', port: 0 }).catch(() => undefined)
    const { port } = server.people.app.server.address() as AddressInfo
    const call = async (method: string, path: string, body: object, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, { method, headers, body: JSON.stringify(body) })
      return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Record<string, unknown> }
    }
    const begun = await call('POST', 'auth/oidc', { to: '/ess?page=2' })
    const url = new URL(String(begun.body.url))
    expect(url.origin).toBe(server.provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${consoleUrl}/login/provider`,
      code_challenge_method: 'S256',
      scope: 'openid email profile',
    })
    const back = await new ProviderBrowser().signIn(url.href)
    expect(back.origin + back.pathname).toBe(`${consoleUrl}/login/provider`)
    const entered = await call('PUT', 'auth/oidc', { query: back.search.slice(1), browser: begun.body.browser })
    expect([entered.status, entered.body]).toMatchObject([200, { to: '/ess?page=2', user: { email, role: 'moderator' } }])
    const renewed = await call('POST', 'auth/refresh', {}, String(entered.body.accessToken))
    expect(renewed.status).toBe(200)
    const token = String(renewed.body.accessToken)
    await server.people.rows(`update "user" set "lockedAt" = now() where "email" = '${email}'`)
    expect((await call('POST', 'auth/refresh', {}, token)).body.code).toBe('session-ended.locked')
  })

  it('is noted in the audit log with its way, and the subject is kept beside the account', async () => {
    const id = await add('client', 'tiny-otter-waves-42')
    expect((await server.signIn()).status).toBe(200)
    const lines = await server.people.rows(`select "action", "result", "reason" from "auditLog" where "actorId" = '${id}'`)
    expect(lines).toEqual([{ action: 'login', result: 'OK', reason: 'oidc' }])
    const link = await server.people.rows(`select "issuer", "subject" from "oidcSubject" where "userId" = '${id}'`)
    expect(link).toEqual([{ issuer: server.provider.issuer, subject: `ida-${count}` }])
  })

  it('knows the account by its subject when the address has changed at the provider', async () => {
    await add('client', 'tiny-otter-waves-42')
    await server.signIn()
    server.account(`ida-${count}`, { email: 'elsewhere@example.com', email_verified: false })
    const again = await server.signIn()
    expect([again.status, again.body]).toMatchObject([200, { user: { email } }])
  })

  it('completes an invited account with the names of the provider, and the invitation is accepted', async () => {
    const id = await invite()
    const first = await server.signIn()
    expect([first.status, first.body]).toMatchObject([200, { user: { firstName: 'Ida', lastName: 'Berg', email } }])
    expect(await server.people.rows(`select "state" from "invitation" where "userId" = '${id}'`)).toEqual([
      { state: 'ACCEPTED' },
    ])
    expect((await server.people.login(email, 'tiny-otter-waves-42')).status).toBe(401)
    const { token } = await server.people.signedIn({ email: `root-${count}@example.com`, role: 'admin' })
    expect((await server.people.call('GET', `user/${id}`, { token })).body.status).toBe('ACTIVE')
    await server.people.call('POST', 'user/restore-password', { body: { email } })
    expect(await server.people.linkTo(email, '/restore-password')).toBeTruthy()
  })

  it('asks for the second factor where there is one', async () => {
    await add('client', 'tiny-otter-waves-42')
    const entered = await server.signIn()
    const token = String(entered.body.accessToken)
    const begun = await server.people.call('POST', 'auth/factor/totp', { token })
    const app = new Authenticator(String(begun.body.secret))
    await server.people.call('PUT', 'auth/factor/totp', { token, body: { code: app.codeAt(server.people.now) } })
    const challenged = await server.signIn('/ess')
    expect([challenged.status, challenged.body]).toMatchObject([202, { step: 'code', to: '/ess' }])
    expect(challenged.body.accessToken).toBeUndefined()
    const code = app.codeAt(server.people.now, 1)
    const done = await server.people.call('POST', 'auth/challenge/code', {
      body: { challenge: challenged.body.challenge, code },
    })
    expect([done.status, done.body]).toMatchObject([200, { user: { email } }])
  })

  it('leads to no other place than a page of this console', async () => {
    await add('client', 'tiny-otter-waves-42')
    for (const to of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/login/provider?code=x',
    ])
      expect([to, (await server.signIn(to)).body.to]).toEqual([to, '/'])
  })
})

describe.each(engines)('a provider that tells of people apart from its token on $name', (engine) => {
  it('is asked for what the token leaves out', async () => {
    const server = await openProviderServer(engine, { fromUserInfo: true })
    await server.people.addUser({ email: 'apart@example.com', role: 'client' })
    server.account('apart', { email: 'Apart@example.com', email_verified: true })
    expect((await server.signIn()).status).toBe(200)
    await server.close()
  })
})
