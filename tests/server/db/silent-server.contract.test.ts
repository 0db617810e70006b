import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '#tests/support/postgres.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

/** Passes bytes on until it is told to keep them: as a host that has vanished, it closes nothing and answers nothing. */
class Way {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isSilent = false

  constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port), to.hostname)
      for (const [from, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from)
        from.on('data', (bytes) => this.#isSilent || other.write(bytes))
        from.on('error', () => other.destroy())
        from.on('close', () => this.#isSilent || other.destroy())
      }
    })
  }
  open(): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as { port: number }).port)),
    )
  }
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent
  }
  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

describe.runIf(postgresUrl())('a PostgreSQL host that vanishes without a word', () => {
  let made: TestDatabase
  let way: Way
  let database: Database
  beforeAll(async () => {
    made = await createTestDatabase()
    const url = new URL(made.url)
    way = new Way(new URL(made.url))
    url.port = String(await way.open())
    database = await openDatabase({ databaseUrl: url.href, dataDir: tmpdir(), statementTimeoutMs: 1_000 })
  })
  afterAll(async () => {
    way.close()
    await database.close()
    await made.drop()
  })

  it('costs seconds, is told as such, and is forgotten when it is back', async () => {
    expect((await database.pool.query('select 1 as "one"')).rows).toEqual([{ one: 1 }])
    way.silence(true)
    const started = performance.now()
    const failure = await database.pool.query('select 2').then(() => undefined, databaseProblem)
    expect(failure?.status).toBe(503)
    expect(performance.now() - started).toBeLessThan(8_000)
    way.silence(false)
    expect((await database.pool.query('select 3 as "three"')).rows).toEqual([{ three: 3 }])
  }, 30_000)

  it('is not ready within two seconds', async () => {
    const app = await buildToyApp({ database })
    way.silence(true)
    const started = performance.now()
    expect((await app.inject('/api/ready')).statusCode).toBe(503)
    expect(performance.now() - started).toBeLessThan(3_000)
    way.silence(false)
    await app.close()
  }, 30_000)

  it('is not taken for one while a step without a limit is at work', async () => {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local statement_timeout = 0')
      expect((await client.query(`select 'done' as "is" from pg_sleep(7)`)).rows).toEqual([{ is: 'done' }])
      await client.query('commit')
    } finally {
      client.release()
    }
  }, 30_000)
})
