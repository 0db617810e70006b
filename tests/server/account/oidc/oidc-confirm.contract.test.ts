import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { openProviderServer, type ProviderServer } from '#tests/support/provider-server.ts'

describe.each(engines)('a fresh confirmation at the provider on $name', (engine) => {
  let server: ProviderServer
  let count = 0
  let id = ''
  let token = ''
  beforeAll(async () => {
    server = await openProviderServer(engine, { env: { TOKEN_TTL_S: '3600', CONFIRM_AFTER_MIN: '5', OIDC_ONLY: 'admin' } })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    const email = `olga-${++count}@example.com`
    server.provider.forge = (payload) => payload
    id = await server.people.addUser({ email, role: 'admin' })
    server.account(`olga-${count}`, { email, email_verified: true })
    token = String((await server.signIn()).body.accessToken)
    await server.people.rows(`update "session" set "confirmedAt" = "confirmedAt" - interval '1 h' where "userId" = '${id}'`)
  })
  const setUp = async () => (await server.people.call('POST', 'auth/factor/totp', { token })).body.code

  it('is asked of people whose role has no password sign-in, and lets sensitive calls through', async () => {
    expect(await setUp()).toBe('confirmation-needed')
    expect((await server.people.call('GET', 'auth/factor', { token })).body.confirmedBy).toBe('provider')
    const typed = await server.people.call('POST', 'auth/confirm', { token, body: { password: 'tiny-otter-waves-42' } })
    expect([typed.status, typed.body.code]).toEqual([409, 'oidc.by-provider'])
    const begun = await server.people.call('POST', 'auth/oidc/confirm', { token })
    const asked = new URL(String(begun.body.url)).searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0'])
    expect((await server.confirm(token)).status).toBe(200)
    expect(await setUp()).toBeUndefined()
    const lines = await server.people.rows(
      `select "result", "reason" from "auditLog" where "action" = 'confirm' and "actorId" = '${id}'`,
    )
    expect(lines).toEqual([{ result: 'OK', reason: 'oidc' }])
  })

  it('is refused where the provider did not ask again, or says nothing of it', async () => {
    for (const auth_time of [Math.floor(Date.now() / 1000) - 3600, undefined]) {
      server.provider.forge = (payload) => ({ ...payload, auth_time })
      const { status, body } = await server.confirm(token)
      expect([status, body.code]).toEqual([400, 'oidc.not-again'])
    }
    expect(await setUp()).toBe('confirmation-needed')
  })

  it('is refused to another account of the provider', async () => {
    server.account(`else-${count}`, { email: `else-${count}@example.com`, email_verified: true })
    expect((await server.confirm(token)).body.code).toBe('oidc.other-account')
    expect(await setUp()).toBe('confirmation-needed')
  })

  it('belongs to the session that began it, and is no sign-in', async () => {
    const begun = await server.people.call('POST', 'auth/oidc/confirm', { token })
    const state = new URL(String(begun.body.url)).searchParams.get('state') ?? ''
    const body = { query: `state=${state}&code=x`, browser: begun.body.browser }
    expect((await server.people.call('PUT', 'auth/oidc', { body })).body.code).toBe('oidc.dead')
    const other = String((await server.signIn()).body.accessToken)
    expect((await server.people.call('PUT', 'auth/oidc/confirm', { token: other, body })).body.code).toBe('oidc.dead')
    expect((await server.people.call('PUT', 'auth/oidc/confirm', { body })).status).toBe(401)
  })

  it('stays with the password where there is one', async () => {
    const email = `carl-${count}@example.com`
    const { token: own } = await server.people.signedIn({ email, role: 'client' })
    expect((await server.people.call('GET', 'auth/factor', { token: own })).body.confirmedBy).toBe('password')
  })
})

describe.each(engines)('a server without a provider on $name', (engine) => {
  it('has none of its calls, and no button', async () => {
    const server = await openProviderServer(engine, { env: { OIDC_ISSUER: '', OIDC_CLIENT_ID: '' } })
    expect((await server.people.call('GET', 'auth/methods')).body.provider).toBeNull()
    expect((await server.people.call('POST', 'auth/oidc', { body: {} })).status).toBe(404)
    expect((await server.finish('state=x', 'y')).status).toBe(404)
    await server.close()
  })
})
