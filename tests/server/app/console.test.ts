import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '#server/base/context.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

describe('the console', () => {
  let folder: string
  let served: Api
  const page = { accept: 'text/html,*/*' }
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ess-console-'))
    mkdirSync(join(folder, 'console/assets'), { recursive: true })
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    writeFileSync(join(folder, 'console/index.html'), '<html>page</html>')
    writeFileSync(join(folder, 'console/push-sw.js'), 'worker')
    writeFileSync(join(folder, 'console/assets/main-abc.js'), 'code')
    writeFileSync(join(folder, 'console/assets/main-abc.js.br'), brotliCompressSync('code'))
    writeFileSync(join(folder, 'console/assets/main-abc.js.map'), 'map')
    served = await buildToyApp({ consoleDir: join(folder, 'console') })
  })
  afterAll(async () => {
    await served.close()
    rmSync(folder, { recursive: true })
  })

  it('is kept for ever where the name says what is in it, and asked for again elsewhere', async () => {
    const script = await served.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'br' } })
    expect(script.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringContaining('accept-encoding'),
    })
    expect((await served.inject('/')).headers['cache-control']).toBe('no-cache')
    expect((await served.inject('/push-sw.js')).headers['cache-control']).toBe('no-cache')
  })

  it('answers its page at every address that a person may open, and only there', async () => {
    for (const url of ['/', '/ess/1/guest', '/change-email/complete', '/login?to=%2Fess']) {
      const answer = await served.inject({ url, headers: page })
      expect([answer.statusCode, answer.body, answer.headers['cache-control']]).toEqual([200, '<html>page</html>', 'no-cache'])
    }
    for (const url of ['/assets/main-old.js', '/api/nope', '/api', '/robots.txt'])
      expect((await served.inject({ url, headers: page })).statusCode).toBe(404)
    expect((await served.inject({ url: '/ess', headers: { accept: 'application/json' } })).statusCode).toBe(404)
    expect((await served.inject({ method: 'POST', url: '/ess', headers: page })).statusCode).toBe(404)
  })

  it('may run the script that stands in its document, and no other one', async () => {
    const dir = join(folder, 'scripted')
    mkdirSync(dir)
    writeFileSync(join(dir, 'index.html'), '<script>let a=1</script><script type="module" src="/assets/b.js"></script>')
    const app = await buildToyApp({ consoleDir: dir })
    const hash = createHash('sha256').update('let a=1').digest('base64')
    const { headers } = await app.inject({ url: '/', headers: page })
    await app.close()
    expect(String(headers['content-security-policy'])).toContain(`script-src 'self' 'sha256-${hash}';`)
  })

  it('never leaves its folder', async () => {
    const address = await served.listen({ host: '127.0.0.1', port: 0 })
    const { port } = new URL(address)
    const statusOf = (path: string) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const sent = httpRequest({ host: '127.0.0.1', port, path }, (answer) => {
          let body = ''
          answer
            .on('data', (data) => {
              body += data
            })
            .on('end', () => resolve([answer.statusCode, body]))
        })
        sent.on('error', reject).end()
      })
    for (const path of [
      '/../secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/..%5csecret.txt',
      '/assets/../../secret.txt',
      '//etc/passwd',
      '/.git/config',
      '/assets/main-abc.js.map',
    ]) {
      const [status, body] = await statusOf(path)
      expect([path, status]).toEqual([path, 404])
      expect(body).not.toContain('secret.txt\n')
    }
  })
})
