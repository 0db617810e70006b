import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '#tests/support/postgres.ts'

const refusalOf = (work: Promise<unknown>) => work.then(() => undefined, databaseProblem)

describe.runIf(postgresUrl())('a PostgreSQL server', () => {
  let made: TestDatabase
  let database: Database
  let administrator: Database
  const broken: string[] = []
  beforeAll(async () => {
    made = await createTestDatabase()
    const place = { databaseUrl: made.url, dataDir: tmpdir() }
    database = await openDatabase({ ...place, onError: ({ message }) => broken.push(message) })
    administrator = await openDatabase({ ...place, poolMax: 2 })
    await sql`create table "shelf" ("n" int)`.execute(database.kysely)
  })
  afterAll(async () => {
    await database.close()
    await administrator.close()
    await made.drop()
  })

  const cutAll = () =>
    sql`select pg_terminate_backend("pid") from pg_stat_activity where "datname" = current_database() and "pid" <> pg_backend_pid()`.execute(
      administrator.kysely,
    )

  it('that ends its connections is away for a moment: no process ends, nothing is half written, and the next call is served', async () => {
    const idle = await Promise.all([1, 2].map(() => database.pool.connect()))
    for (const client of idle) client.release()
    const writing = await database.pool.connect()
    await writing.query('begin')
    await writing.query('insert into "shelf" values (1)')
    const slow = refusalOf(database.pool.query('select pg_sleep(20)'))
    const gone = new Promise((resolve) => writing.once('end', resolve))
    await sleep(200)
    await cutAll()
    await gone
    expect(await slow).toMatchObject({ code: 'unavailable', status: 503 })
    expect(await refusalOf(writing.query('commit'))).toMatchObject({ code: 'unavailable', status: 503 })
    writing.release(true)
    await expect.poll(() => broken.length).toBeGreaterThan(0)
    const started = performance.now()
    expect((await database.pool.query('select * from "shelf"')).rows).toEqual([])
    expect(performance.now() - started).toBeLessThan(5_000)
  }, 30_000)

  it('whose table another person has locked is waited for five seconds, and other tables answer meanwhile', async () => {
    const holder = await administrator.pool.connect()
    await holder.query('begin')
    await holder.query('lock table "shelf"')
    const started = performance.now()
    const waiting = refusalOf(database.pool.query('insert into "shelf" values (2)'))
    expect((await database.pool.query('select 1 as "one"')).rows).toEqual([{ one: 1 }])
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(await waiting).toMatchObject({ code: 'busy' })
    expect(performance.now() - started).toBeLessThan(8_000)
    await holder.query('rollback')
    holder.release()
    await database.pool.query('insert into "shelf" values (3)')
  }, 40_000)

  it('whose connections are all in use refuses a call after ten seconds, and serves the next one', async () => {
    const holders = await Promise.all([1, 2].map(() => administrator.pool.connect()))
    const started = performance.now()
    expect(await refusalOf(administrator.pool.query('select 1'))).toMatchObject({ code: 'unavailable', status: 503 })
    expect(performance.now() - started).toBeLessThan(15_000)
    for (const holder of holders) holder.release()
    expect((await administrator.pool.query('select 1 as "one"')).rows).toEqual([{ one: 1 }])
  }, 40_000)
})
