import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportJob } from '#schema/wire/import-report.ts'
import { engines } from '#tests/support/databases.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

const mostMs = 25_000
const boards = 3_000
const boardFile = ['code,uid,hardwareRevision']
  .concat(Array.from({ length: boards }, (_, index) => `PCB-DA${index + 100_000},0000DA${index + 100_000},B1`))
  .join('\r\n')

describe.each(engines)('a server that is told to end on $name', (engine) => {
  let server: ServerProcess
  const answered: (number | undefined)[] = []

  /** More than all buffers between the server and a reader who does not read. */
  async function addLongLog(): Promise<void> {
    const database = await server.openDatabase()
    await sql`insert into "auditLog" ("id", "at", "action", "entityType", "reason")
      select 'long-' || "n", now() - interval '1 day', 'login', 'user', repeat('x', 2000) from generate_series(1, 12000) as "n"`.execute(
      database.kysely,
    )
    await database.close()
  }
  beforeAll(async () => {
    server = await ServerProcess.on(engine)
    await server.start()
    await server.terminate()
    await addLongLog()
    await server.start()
  }, 120_000)
  afterAll(() => server.remove())

  const headers = () => ({ authorization: server.authorization })

  /** A body that is announced and never finished; with `drop` it goes on coming, as over the line of a phone. */
  async function beginUpload(path: string, type: string, begin: string, drop?: Buffer): Promise<void> {
    const upload = request(`${server.url}/api/${path}`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': type, 'content-length': 5_000_000 },
    })
    const trickle = drop ? setInterval(() => upload.write(drop), 100) : undefined
    const end = () => clearInterval(trickle)
    upload.on('error', end).on('close', end)
    upload.on('response', ({ statusCode }) => answered.push(statusCode))
    await new Promise<void>((done) => upload.write(begin, () => done()))
  }

  /** An export that its reader has begun and stops to read. */
  const beginExport = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server.url}/api/export/${path}`, { headers: headers() }, (answer) => {
        answer.on('error', () => {})
        resolve(answer.pause())
      }).on('error', reject)
    })

  const job = async () => (await server.call<ImportJob[]>('GET', 'import-job'))[0]
  const boardCount = async () => {
    const answer = await fetch(`${server.url}/api/control-pcb?_end=1`, { headers: headers() })
    return Number(answer.headers.get('x-total-count'))
  }

  async function storedStates(): Promise<string[]> {
    const database = await server.openDatabase()
    const { rows } = await sql<{ state: string }>`select "state" from "importJob"`.execute(database.kysely)
    await database.close()
    return rows.map(({ state }) => state)
  }

  it('ends well within 25 s whatever runs: streams, exports, uploads, imports', async () => {
    const streams = await Promise.all([1, 2, 3].map(() => fetch(`${server.url}/api/events`, { headers: headers() })))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    await beginUpload('firmware', 'multipart/form-data; boundary=x', part)
    await beginUpload('firmware', 'multipart/form-data; boundary=x', part, Buffer.alloc(1024))
    await beginUpload('import/client', 'text/csv', 'email,role\n')
    const exported = await beginExport('audit-log')
    expect(exported.statusCode).toBe(200)
    const sent = { method: 'POST', headers: { ...headers(), 'content-type': 'text/csv' }, body: boardFile }
    const importing = fetch(`${server.url}/api/import/control-pcb`, sent).then(
      ({ status }) => status,
      () => 'cut off',
    )
    await expect.poll(async () => (await job())?.done, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(200)
    // Everything is under way: nobody has refused the uploads, and the export waits for its reader.
    expect([answered, exported.complete, await job()]).toMatchObject([[], false, { state: 'RUNNING' }])
    const { code, ms } = await server.terminate()
    expect(code).toBe(0)
    expect(ms).toBeLessThan(mostMs)
    // Its reader can tell that the file is cut.
    exported.resume()
    await expect.poll(() => exported.errored?.message).toBe('aborted')
    expect([503, 'cut off']).toContain(await importing)
    // Ended by the server itself, and not by the end of its database amid a batch.
    expect(await storedStates()).toEqual(['INTERRUPTED'])
    // The next start finds its data free, and the import ended where it was, which nobody has to wait for.
    await server.start()
    const interrupted = await job()
    expect(interrupted).toMatchObject({ state: 'INTERRUPTED', total: boards })
    expect(interrupted?.created).toBeGreaterThanOrEqual(200)
    expect(interrupted?.created).toBeLessThan(boards)
    expect(await boardCount()).toBe(interrupted?.created)
    const undone = await server.call('POST', `import-job/${interrupted?.id}/undo`)
    expect(undone).toMatchObject({ removed: interrupted?.created, kept: [] })
    expect(await boardCount()).toBe(0)
  }, 240_000)

  it('ends with its last answer, and does not wait for a connection that is kept alive', async () => {
    const agent = new Agent({ keepAlive: true })
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'tiny-otter-waves-42' })
    const asked = request(`${server.url}/api/auth/login`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    })
    const isBegun = once(asked, 'continue')
    asked.flushHeaders()
    await isBegun
    const ending = server.terminate()
    await expect.poll(() => server.output).toContain('SIGTERM: closing')
    const answer = once(asked, 'response')
    asked.end(body)
    const [{ statusCode }] = await answer
    expect(statusCode).toBe(401)
    const { code, ms } = await ending
    agent.destroy()
    expect(code).toBe(0)
    // Connections are cut after 10 s.
    expect(ms).toBeLessThan(6_000)
    await server.start()
  }, 60_000)

  // The lock by which the start is seen is that of the embedded engine.
  if (engine.name === 'PGlite')
    it('ends in order while it starts, too', async () => {
      await server.terminate()
      const starting = server.start().catch(String)
      const lock = join(server.dataDir, 'server.lock')
      await expect.poll(() => existsSync(lock), { timeout: 20_000 }).toBe(true)
      expect((await server.terminate()).code).toBe(0)
      await starting
      expect(server.output).toContain('SIGTERM: closing')
      expect(existsSync(lock)).toBe(false)
      await server.start()
    }, 120_000)
})
