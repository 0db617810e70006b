import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import { buildToyApp, json } from '#tests/support/toy-app.ts'

let app: Api
beforeAll(async () => {
  app = await buildToyApp()
})
afterAll(() => app.close())

/** The log of an app with these settings, which is called in the meantime. */
async function logOf(env: Record<string, string>, call: (logging: Api) => Promise<void>): Promise<string> {
  let log = ''
  const write = (line: string) => {
    log += line
  }
  const logging = await buildToyApp({ config: readConfig(env), logger: { stream: { write } } })
  await call(logging)
  await logging.close()
  return log
}

describe('what is refused', () => {
  it('is told in the language that is asked for', async () => {
    const inRussian = await app.inject({ url: '/api/mine', headers: { 'accept-language': 'xx, ru-RU;q=0.8, en;q=0.5' } })
    expect(inRussian.json()).toMatchObject({
      statusCode: 401,
      error: 'Unauthorized',
      code: 'not-signed-in',
      message: 'Войдите в систему',
    })
    expect(inRussian.headers['content-language']).toBe('ru')
    const inEnglish = await app.inject({ url: '/api/mine', headers: { 'accept-language': 'xx' } })
    expect(inEnglish.json().message).toBe('Please sign in')
  })

  it('carries what the caller needs to go on', async () => {
    expect((await app.inject('/api/stale')).json()).toMatchObject({
      statusCode: 409,
      code: 'stale-version',
      current: { id: '1', version: 4 },
    })
  })

  it.each(['/api/broken', '/api/wrong-answer'])('shows nothing of the inside: %s', async (url) => {
    const answer = await app.inject(url)
    expect(answer.statusCode).toBe(500)
    expect(Object.keys(answer.json()).sort()).toEqual(['code', 'error', 'message', 'requestId', 'statusCode'])
    expect(answer.body).not.toMatch(/secret|srv|expected|zod/i)
    expect(answer.json().message).toContain(answer.headers['x-request-id'])
  })

  it('is JSON for every unknown address and method under /api', async () => {
    for (const [method, url] of [
      ['GET', '/api/nope'],
      ['PUT', '/api/open'],
      ['PATCH', '/api/open'],
      ['GET', '/api'],
      ['GET', '/api/%zz'],
    ] as const) {
      const answer = await app.inject({ method, url, headers: { accept: 'text/html' } })
      expect([400, 404]).toContain(answer.statusCode)
      expect(answer.json().requestId).toBe(answer.headers['x-request-id'])
    }
  })

  it('counts requests to unknown addresses too, and says when to come back', async () => {
    const strict = await buildToyApp({ config: readConfig({ RATE_LIMIT_PER_MIN: '3' }) })
    const statuses = []
    for (let n = 0; n < 4; n += 1) statuses.push((await strict.inject('/api/nope')).statusCode)
    const last = await strict.inject({ url: '/api/open', headers: { 'x-forwarded-for': '9.9.9.9' } })
    await strict.close()
    expect(statuses).toEqual([404, 404, 404, 429])
    expect(last.statusCode).toBe(429)
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('is logged without tokens, queries and bodies', async () => {
    const log = await logOf({ LOG_LEVEL: 'debug' }, async (loud) => {
      await loud.inject({
        method: 'POST',
        url: '/api/thing?email=someone@x.example',
        headers: { ...json, authorization: 'Bearer topsecret' },
        payload: { role: 'hush-hush' },
      })
      await loud.inject('/api/broken')
    })
    expect(log).toContain('"path":"/api/thing"')
    expect(log).toContain('secret table')
    expect(log).not.toMatch(/topsecret|someone@|hush-hush/)
  })

  it('is logged, but for that to a supervisor, who looks every few seconds whether all is well', async () => {
    const log = await logOf({}, async (usual) => {
      for (const url of ['/api/open', '/api/health', '/api/ready']) await usual.inject(url)
    })
    expect(log).toContain('"path":"/api/open"')
    expect(log).not.toContain('/api/health')
    expect(log, 'here no database answers').toContain('"path":"/api/ready"')
  })
})

describe('headers', () => {
  it.each(['/api/open', '/api/nope', '/api/broken', '/nope'])('guard every answer: %s', async (url) => {
    const { headers } = await app.inject(url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    for (const rule of ["script-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(headers['content-security-policy']).toContain(rule)
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers.server ?? headers['x-powered-by']).toBeUndefined()
  })

  it('keep answers of the API out of caches and other origins out of the API', async () => {
    const { headers } = await app.inject({ url: '/api/open', headers: { origin: 'https://evil.example' } })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-expose-headers': 'X-Total-Count, X-Event-Id' })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('ask for HTTPS only where the address is HTTPS', async () => {
    const secure = await buildToyApp({
      config: readConfig({ PUBLIC_URL: 'https://ess.example', FCM_SERVICE_ACCOUNT: '/key.json' }),
    })
    const { headers } = await secure.inject('/api/open')
    await secure.close()
    expect(headers['strict-transport-security']).toContain('includeSubDomains')
    expect(headers['content-security-policy']).toContain('fcmregistrations')
  })

  it('compress what is worth it', async () => {
    expect((await app.inject({ url: '/api/big', headers: { 'accept-encoding': 'br' } })).headers['content-encoding']).toBe('br')
    expect(
      (await app.inject({ url: '/api/open', headers: { 'accept-encoding': 'br' } })).headers['content-encoding'],
    ).toBeUndefined()
  })
})
