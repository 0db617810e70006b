import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '#tests/support/postgres.ts'
import { SilentWay } from '#tests/support/silent-way.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

describe.runIf(postgresUrl())('a PostgreSQL host that vanishes without a word', () => {
  let made: TestDatabase
  let way: SilentWay
  let database: Database
  beforeAll(async () => {
    made = await createTestDatabase()
    const url = new URL(made.url)
    way = new SilentWay(new URL(made.url))
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

  it('is not taken for one where the server shows no states, as behind a pooler', async () => {
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
