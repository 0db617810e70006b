import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

describe.each(oneEngine(import.meta.filename))('a server that is told to end on $name', (engine) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await ServerProcess.on(engine)
    await server.start()
  }, 90_000)
  afterAll(() => server.remove())

  const answered: (number | undefined)[] = []
  /** A body that is announced, begun and never finished. */
  async function beginUpload(path: string, type: string, begin: string): Promise<void> {
    const upload = request(`${server.url}/api/${path}`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-type': type, 'content-length': 500_000 },
    })
    upload.on('error', () => {})
    upload.on('response', ({ statusCode }) => answered.push(statusCode))
    await new Promise<void>((done) => upload.write(begin, () => done()))
  }

  it('ends well within 25 s whatever runs: streams, exports, uploads, imports', async () => {
    const headers = { authorization: server.authorization }
    const streams = await Promise.all([1, 2, 3].map(() => fetch(`${server.url}/api/events`, { headers })))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    await beginUpload('firmware', 'multipart/form-data; boundary=x', part)
    await beginUpload('import/client', 'text/csv', 'email,role\n')
    const exported = await fetch(`${server.url}/api/export/user`, { headers })
    expect(exported.status).toBe(200)
    // Both uploads are under way: nobody has refused them.
    await sleep(500)
    expect(answered).toEqual([])
    const { code, ms } = await server.terminate()
    expect(code).toBe(0)
    expect(ms).toBeLessThan(25_000)
    // The waiting caller is told what was left open, and the next start finds its data free.
    await server.start()
    expect(await server.call('GET', 'user')).toMatchObject([{ email: 'admin@example.com' }])
  }, 120_000)

  it('ends in order while it starts, too', async () => {
    await server.terminate()
    const starting = server.start().catch(String)
    const lock = join(server.dataDir, 'server.lock')
    if (engine.name === 'PGlite') await expect.poll(() => existsSync(lock), { timeout: 20_000 }).toBe(true)
    else await expect.poll(() => server.output, { timeout: 20_000 }).not.toBe('')
    expect((await server.terminate()).code).toBe(0)
    await starting
    expect(server.output).toContain('SIGTERM: closing')
    expect(existsSync(lock)).toBe(false)
    await server.start()
  }, 120_000)
})
