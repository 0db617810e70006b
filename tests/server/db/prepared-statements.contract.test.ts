import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { inPipeline } from '#server/db/pipeline.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import type { Queryable } from '#server/db/query.ts'
import { embedded, engines } from '#tests/support/databases.ts'

describe.each(engines)('a statement that comes again and again on $name', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await engine.open()
    await sql`create table "thing" ("id" int primary key)`.execute(database.kysely)
  })
  afterAll(() => database.close())

  const doubled = async (value: number, db: Queryable = database.kysely) => {
    const { rows } = await sql<{ twice: number }>`${prepared}select ${value}::int * 2 as "twice"`.execute(db)
    return rows[0]?.twice
  }
  const planned = async (db: Queryable = database.kysely) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as "count" from pg_prepared_statements
      where "name" like 'prepared_%'`.execute(db)
    return rows[0]?.count
  }

  it('is planned once by its session and answers each time for its own values', async () => {
    await database.kysely.connection().execute(async (db) => {
      for (const value of [1, 2, 3, 4, 5, 6, 7, 8]) expect(await doubled(value, db)).toBe(2 * value)
      expect(await planned(db)).toBe(1)
    })
    expect(await Promise.all([10, 20, 30, 40, 50].map((value) => doubled(value)))).toEqual([20, 40, 60, 80, 100])
  })

  it('is told apart from another, and from one that fails', async () => {
    const insert = (id: number) =>
      sql`${prepared}insert into "thing" ("id") values (${id}) returning "id"`.execute(database.kysely)
    for (const id of [1, 2, 3, 4]) await insert(id)
    await expect(insert(1)).rejects.toMatchObject({ code: '23505' })
    await insert(5)
    const divide = (by: number) => sql<{ part: number }>`${prepared}select 12 / ${by}::int as "part"`.execute(database.kysely)
    for (let i = 0; i < 4; i++) await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect((await divide(4)).rows).toEqual([{ part: 3 }])
    expect(await doubled(21)).toBe(42)
  })

  it('is there for others after it was asked for in transactions that had failed', async () => {
    for (let i = 0; i < 4; i++) await doubled(i)
    const failing = async () => {
      // The client that was released last comes first: it has the statement.
      const other = await database.pool.connect()
      const work = inPipeline(database, (db) => Promise.all([sql`select 1 / 0`.execute(db), doubled(1, db)]))
      await expect(work).rejects.toMatchObject({ code: '22012' })
      other.release()
    }
    for (let i = 0; i < 4; i++) await failing()
    expect(await Promise.all([1, 2, 3, 4, 5].map((value) => doubled(value)))).toEqual([2, 4, 6, 8, 10])
  })

  it('is not named where the text is another each time, nor without the mark', async () => {
    await database.kysely.connection().execute(async (db) => {
      const before = await planned(db)
      for (let i = 0; i < 40; i++) await sql`${prepared}${sql.raw(`select ${i}`)}`.execute(db)
      for (let i = 0; i < 5; i++) await sql`select 'without'`.execute(db)
      expect(await planned(db)).toBe(before)
    })
  })
})

it('is planned again after the embedded engine has been restarted', async () => {
  const database = await embedded.open({ statementTimeoutMs: 3_000 })
  const three = () => sql<{ three: number }>`${prepared}select 3 as "three"`.execute(database.kysely)
  for (let i = 0; i < 5; i++) await three()
  await expect(sql`select count(*) from generate_series(1, 1000000000)`.execute(database.kysely)).rejects.toThrow()
  expect((await three()).rows).toEqual([{ three: 3 }])
  await database.close()
})

it('has its whole time in the embedded engine, though it is handed over while others run', async () => {
  const database = await embedded.open({ statementTimeoutMs: 3_000 })
  const nap = (seconds: number) => sql`${prepared}select pg_sleep(${seconds})`.execute(database.kysely)
  for (let i = 0; i < 4; i++) await nap(0)
  // The last one begins after more than the limit.
  await Promise.all([nap(1.2), nap(1.2), nap(1.2), nap(1.2)])
  await database.close()
})

it('sees nothing of an open transaction in the embedded engine, which has one session', async () => {
  const database = await embedded.open()
  await sql`create table "open" ("id" int primary key)`.execute(database.kysely)
  const count = async (db: Queryable = database.kysely) =>
    (await sql<{ count: number }>`${prepared}select count(*)::int as "count" from "open"`.execute(db)).rows[0]?.count
  for (let i = 0; i < 4; i++) await count()
  const change = database.kysely.transaction().execute(async (db) => {
    const seen: unknown[] = []
    for (let id = 0; id < 5; id++) {
      await sql`insert into "open" ("id") values (${id})`.execute(db)
      seen.push(await count(db))
    }
    throw new Error(seen.join(' '))
  })
  const seen = await Promise.all([...Array.from({ length: 20 }, () => count()), change.catch(({ message }) => message)])
  expect(new Set(seen)).toEqual(new Set([0, '1 2 3 4 5']))
  await database.close()
})
