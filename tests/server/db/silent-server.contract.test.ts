import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { inPipeline } from '#server/db/pipeline.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '#tests/support/postgres.ts'
import { SilentWay } from '#tests/support/silent-way.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

const keyData = Buffer.from([0x4b, 0, 0, 0, 0x0c])

/** The message that names the process of a connection, with another process. */
function renamedProcess(bytes: Buffer): Buffer {
  const at = bytes.indexOf(keyData)
  if (at >= 0) bytes.writeInt32BE(0x7fff_0000, at + keyData.length)
  return bytes
}

describe.runIf(postgresUrl())('a PostgreSQL host that vanishes without a word', () => {
  let made: TestDatabase
  let way: SilentWay
  let port: number
  let database: Database
  beforeAll(async () => {
    made = await createTestDatabase()
    const url = new URL(made.url)
    way = new SilentWay(new URL(made.url))
    port = await way.open()
    url.port = String(port)
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
    // Its connection was cut: this one greets a host that does not answer.
    const next = await database.pool.query('select 2').then(() => undefined, databaseProblem)
    expect(next?.status).toBe(503)
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

  it('costs seconds when it has ended the connection meanwhile, as it does with an idle transaction', async () => {
    const url = new URL(made.url)
    url.port = String(port)
    const slow = await openDatabase({ databaseUrl: url.href, dataDir: tmpdir(), statementTimeoutMs: 20_000 })
    const direct = await openDatabase({ databaseUrl: made.url, dataDir: tmpdir() })
    try {
      const { rows } = await slow.pool.query<{ pid: number }>('select pg_backend_pid() as "pid"')
      way.silence(true)
      const answer = slow.pool.query('select 4').then(() => undefined, databaseProblem)
      await direct.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      // Its last words are lost, too.
      await sleep(500)
      way.silence(false)
      const started = performance.now()
      expect((await answer)?.status).toBe(503)
      expect(performance.now() - started).toBeLessThan(5_000)
    } finally {
      way.silence(false)
      await Promise.all([slow.close(), direct.close()])
    }
  }, 60_000)

  it('costs seconds when only the first answers of a pipeline have come', async () => {
    const url = new URL(made.url)
    url.port = String(port)
    const slow = await openDatabase({ databaseUrl: url.href, dataDir: tmpdir(), statementTimeoutMs: 20_000 })
    try {
      const answer = inPipeline(slow, async (db) => {
        const first = sql`select 1`.execute(db)
        await Promise.all([first.then(() => way.silence(true)), sql`select pg_sleep(1)`.execute(db)])
      }).then(() => undefined, databaseProblem)
      await sleep(2_000)
      way.silence(false)
      const started = performance.now()
      expect((await answer)?.status).toBe(503)
      expect(performance.now() - started).toBeLessThan(8_000)
    } finally {
      way.silence(false)
      await slow.close()
    }
  }, 60_000)

  it('is not taken for one behind a pooler, which names processes of its own', async () => {
    const url = new URL(made.url)
    const pooler = new SilentWay(new URL(made.url), renamedProcess)
    url.port = String(await pooler.open())
    const other = await openDatabase({ databaseUrl: url.href, dataDir: tmpdir(), statementTimeoutMs: 20_000 })
    try {
      expect((await other.pool.query(`select 'done' as "is" from pg_sleep(7)`)).rows).toEqual([{ is: 'done' }])
    } finally {
      await other.close()
      pooler.close()
    }
  }, 30_000)

  it('is not taken for one where the server shows no states', async () => {
    await database.pool.query(`alter database "${new URL(made.url).pathname.slice(1)}" set track_activities = off`)
    const other = await openDatabase({ databaseUrl: made.url, dataDir: tmpdir(), statementTimeoutMs: 20_000 })
    try {
      expect((await other.pool.query(`select 'done' as "is" from pg_sleep(7)`)).rows).toEqual([{ is: 'done' }])
    } finally {
      await other.close()
    }
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
