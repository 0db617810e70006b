import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { Maker } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

describe.each(engines)('calls that mean no good on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  const users = () => server.rows('select "id", "role", "lockedAt", "deletedAt", "version" from "user" order by "id"')
  const raw = async (method: Method, url: string, role: 'client' | 'admin', headers: Record<string, string> = {}) =>
    server.app.inject({ method, url, headers: { authorization: `Bearer ${await server.as(role)}`, ...headers } })

  it('get nowhere with half a header', async () => {
    const token = await server.as('admin')
    for (const authorization of [
      'Bearer',
      'Bearer ',
      'Basic x',
      `Basic ${token}`,
      `bearer${token}`,
      token,
      `Bearer ${token} x`,
    ])
      expect([authorization, (await server.call('GET', 'ess', { headers: { authorization } })).status]).toEqual([
        authorization,
        401,
      ])
  })

  it('get no further by another way to write an address or a method', async () => {
    const before = await users()
    const ways: [Method, string, Record<string, string>?][] = [
      ['HEAD', '/api/user'],
      ['GET', '/api//user'],
      ['GET', '/API/user'],
      ['GET', '/api/user/'],
      ['GET', '/api/./user'],
      ['GET', '/api/ess/../user'],
      ['GET', '/api/profile/%2e%2e/user'],
      ['GET', '/api/user;x=1'],
      ['GET', '/api/user%2f1'],
      ['GET', '/api/user%00'],
      ['PATCH', '/api/user'],
      ['GET', '/api/dashboard/summary/../../user'],
      ['GET', '/api/firmware', { 'x-http-method-override': 'DELETE' }],
      ['POST', '/api/device', { 'x-original-url': '/api/user', 'x-rewrite-url': '/api/user' }],
    ]
    for (const [method, url, headers] of ways) {
      const answer = await raw(method, url, 'client', headers)
      expect([method, url, answer.statusCode]).toEqual([method, url, expect.toSatisfy((status) => status >= 400)])
      expect(answer.body).not.toContain('@example.com')
    }
    const overridden = await raw('GET', '/api/user?_end=1', 'admin', {
      'x-http-method-override': 'DELETE',
      'x-method-override': 'PUT',
    })
    expect(overridden.statusCode).toBe(200)
    expect(await users()).toEqual(before)
  })

  it('find no way by an id that is no id', async () => {
    type Described = { paths: Record<string, Record<string, unknown>> }
    const { paths } = (await raw('GET', '/api/openapi.json', 'admin')).json<Described>()
    const withId = Object.entries(paths).filter(([path]) => path.includes('{'))
    expect(withId.length).toBeGreaterThan(60)
    const broken: string[] = []
    for (const id of ['x'.repeat(80), '(SELECT CASE WHEN 1=1 THEN 1 END)', "1' or '1'='1", '%00', '../../user', '\u{1F50B}'])
      for (const [path, calls] of withId)
        for (const method of Object.keys(calls).map((name) => name.toUpperCase() as Method)) {
          const url = `/api${path.replace(/^\/api/, '')}`.replace(/\{\w+\}/g, encodeURIComponent(id))
          const { statusCode } = await raw(method, url, 'admin', { 'idempotency-key': 'no-id' })
          if (statusCode < 400 || statusCode >= 500) broken.push(`${method} ${path} ${id.slice(0, 20)}: ${statusCode}`)
        }
    expect(broken).toEqual([])
  })

  it('are refused in a moment with a body of ninety thousand unknown keys, and a short answer', async () => {
    const id = (await server.rows(`select "id" from "user" where "email" = 'client@example.com'`))[0]?.id
    const body = Object.fromEntries(Array.from({ length: 90_000 }, (_, key) => [`k${key}`, 1]))
    const started = performance.now()
    const answer = await server.call('PUT', `user/${id}`, { token: await server.as('client'), body: { version: 1, ...body } })
    const tookMs = performance.now() - started
    expect(answer).toMatchObject({ status: 413, body: { code: 'too-large' } })
    expect(answer.text.length).toBeLessThan(1_000)
    // Quadratic checks took minutes; parsing this body alone takes some 50 ms.
    expect(tookMs).toBeLessThan(2_000)
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, key) => [`k${key}`, 1]))
    const refused = await server.call('PUT', `user/${id}`, { token: await server.as('client'), body: { version: 1, ...many } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect(refused.text.length).toBeLessThan(1_000)
    const some = Object.fromEntries(Array.from({ length: 900 }, (_, key) => [`k${key}`, 1]))
    const named = await server.call('PUT', `user/${id}`, { token: await server.as('client'), body: { version: 1, ...some } })
    expect(Object.keys(Object(named.body.fields))).toHaveLength(50)
    expect(named.body.message).toHaveLength(51)
    expect(Object(named.body.message)[50]).toBe('850 more are not listed')
  })

  it.each([
    ['unknown parameters', `ess?${Array.from({ length: 490 }, (_, index) => `z${index}=1`).join('&')}`, 490],
    ['unknown columns', `export/control-pcb?columns=${Array(600).fill('quality').join(',')}`, 600],
  ])('name fifty faults and say how many more there are: %s', async (_name, path, count) => {
    const { status, body, text } = await server.call('GET', path, { token: await server.as('admin') })
    expect([status, body.code]).toEqual([400, 'invalid'])
    expect(body.message).toHaveLength(51)
    expect(Object(body.message)[50]).toMatch(/^\d+ more are not listed$/)
    expect(Number.parseInt(Object(body.message)[50], 10)).toBeGreaterThanOrEqual(count - 50)
    expect(Object.keys(Object(body.fields)).length).toBeLessThanOrEqual(50)
    expect(text.length).toBeLessThan(10_000)
  })

  it('send no more than their kind of call needs: least where nobody is signed in', async () => {
    const token = await server.as('client')
    const password = (kib: number) => ({ email: 'nobody@example.com', password: 'x'.repeat(kib * 1024) })
    expect((await server.call('POST', 'auth/login', { body: password(9) })).status).toBe(413)
    expect((await server.call('POST', 'auth/login', { body: password(7) })).status).toBe(400)
    const saved = (kib: number) =>
      server.call('POST', 'device', { token, body: { isDebug: true, platform: 'web', pushId: 'x'.repeat(kib * 1024) } })
    expect((await saved(65)).status).toBe(413)
    expect((await saved(63)).status).toBe(400)
  })

  it('touch no row where an id is none', async () => {
    const before = await users()
    const calls: [Method, string, object?][] = [
      ['GET', '/api/user/:id'],
      ['GET', '/api/user/me'],
      ['GET', '/api/user/1'],
      ['GET', `/api/user/${'9'.repeat(40)}`],
      ['GET', '/api/user/%27%20or%201=1--'],
      ['PUT', '/api/user/client', { version: 1, firstName: 'X' }],
      ['PUT', '/api/user/unlock', { version: 1 }],
      ['DELETE', '/api/user/cancel-delete'],
      ['DELETE', '/api/user/lock'],
      ['DELETE', '/api/user/%20/lock'],
      ['PUT', '/api/user/invitation/all/resend'],
    ]
    for (const [method, url, payload] of calls) {
      const authorization = `Bearer ${await server.as('admin')}`
      const { statusCode } = await server.app.inject({
        method,
        url,
        headers: { authorization },
        ...(payload ? { payload } : {}),
      })
      expect([method, url, [400, 404].includes(statusCode)]).toEqual([method, url, true])
    }
    expect(await users()).toEqual(before)
  })

  it('change nothing about oneself but what is one’s own', async () => {
    const moderator = await maker.person('moderator')
    const stored = async () => (await server.rows(`select * from "user" where "id" = '${moderator.id}'`))[0]
    const before = await stored()
    const version = Number(before?.version)
    for (const role of ['admin', ['admin'], 'Admin', 'admin ', { role: 'admin' }, null])
      expect((await moderator.put(`user/${moderator.id}`, { version, role })).status).toBe(role === 'admin' ? 403 : 400)
    const never = [
      'id',
      'createdAt',
      'deletedAt',
      'locked',
      'lockedAt',
      'passwordHash',
      'status',
      'purgeAt',
      'failedLoginCount',
      'email',
      'sessionVersion',
    ]
    for (const name of never)
      expect([name, (await moderator.put(`user/${moderator.id}`, { version, [name]: 'x' })).status]).toEqual([
        name,
        expect.toSatisfy((status) => status === 400 || status === 403),
      ])
    expect(await stored()).toEqual(before)
  })

  it('put no other host into a letter', async () => {
    const { origin } = new URL(server.context.config.publicUrl)
    const person = await maker.person('client')
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await server.call('POST', 'user/restore-password', { body: { email: person.email }, headers })
    await server.linkTo(person.email, '/restore-password')
    const mail = (await server.mails()).findLast(({ to }) => to === person.email)
    expect(mail?.text).toContain(`${origin}/restore-password#token=`)
    expect(JSON.stringify(mail)).not.toContain('evil.example')
  })

  it('sort, filter and search by no hidden field', async () => {
    for (const query of [
      '_sort=passwordHash',
      'passwordHash_like=a',
      'passwordHash=x',
      '_sort=id;drop table "user"',
      '_order=sideways',
      '__proto__=1',
      'email_regex=.*',
      '_end=-1',
      '_start=x',
    ])
      expect([query, (await maker.admin.get(`user?${encodeURI(query)}`)).status]).toEqual([query, 400])
  })
})
