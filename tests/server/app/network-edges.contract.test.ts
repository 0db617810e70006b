import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { sendRaw, statusesIn } from '#tests/support/raw-connection.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

const callsPerMin = 300
const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: console.example\r\nConnection: close\r\n\r\n`

/** Ways out of the folder of the console: fetch and curl would tidy them before they are sent. */
const climbing = [
  '/assets/..%2f..%2fserver/main.mjs',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/assets/../../package.json',
  '/../package.json',
  '/assets/..\\..\\package.json',
  '/assets/..%5c..%5cpackage.json',
  '/assets/%252e%252e/package.json',
  '/assets/..%00/package.json',
  '/.git/config',
  '/.env',
  '/stamp.json',
]

describe.each(engines)('the server as it is installed, on $name', (engine) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await ServerProcess.on(engine)
    await server.start({
      RATE_LIMIT_PER_MIN: String(callsPerMin),
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://console.example',
    })
  }, 180_000)
  afterAll(() => server?.remove())

  it.each(climbing)('gives out nothing but the console: %s', async (target) => {
    const answer = await sendRaw(server.url, get(target))
    expect([target, [400, 404].includes(statusesIn(answer)[0] ?? 0)]).toEqual([target, true])
    expect(answer).not.toMatch(/"dependencies"|"sources"|repositoryformatversion|import /)
  })

  it('refuses a length beside chunks, two hosts and two lengths, signed in or not', async () => {
    const post = (...lines: string[]) =>
      `POST /api/auth/logout HTTP/1.1\r\nAuthorization: ${server.authorization}\r\n${lines.join('\r\n')}\r\n\r\n0\r\n\r\n`
    for (const request of [
      post('Host: console.example', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      post('Host: console.example', 'Host: evil.example', 'Transfer-Encoding: chunked'),
      post('Host: console.example', 'Content-Length: 5', 'Content-Length: 0'),
    ])
      expect([request, statusesIn(await sendRaw(server.url, request))]).toEqual([request, [400]])
    // None of them has signed out.
    expect((await fetch(`${server.url}/api/auth/me`, { headers: { authorization: server.authorization } })).status).toBe(200)
  })

  it('tells strangers no figures, and by its health that it lives, and nothing more', async () => {
    for (const path of ['/metrics', '/api/metrics', '/docs', '/api/health/', '/server-status', '/debug/pprof'])
      expect([path, (await fetch(server.url + path, { headers: { accept: '*/*' } })).status]).toEqual([path, 404])
    const health = await fetch(`${server.url}/api/health`)
    expect([health.status, await health.text()]).toEqual([200, '{"status":"ok"}'])
    expect(health.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })

  it('refuses an address that tries three hundred unknown paths in a minute, whatever it claims to be', async () => {
    const statuses: number[] = []
    for (let tries = 0; tries <= callsPerMin && !statuses.includes(429); tries += 1) {
      const claimed = { 'x-forwarded-for': `192.0.2.${tries % 250}`, forwarded: `for=192.0.2.${tries % 250}` }
      const answer = await fetch(`${server.url}/${tries % 2 ? 'api/' : ''}backup-${tries}.zip`, { headers: claimed })
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
    const refused = await fetch(`${server.url}/api/auth/me`, { headers: { authorization: server.authorization } })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
