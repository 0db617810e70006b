import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import type { Database } from '#server/db/connect.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { isMigrated, migrate } from '#server/db/migrate.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { engines } from '#tests/support/databases.ts'

const failureOf = (work: Promise<unknown>) => work.then(() => undefined, databaseProblem)

describe.each(engines)('the database on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await engine.open({ statementTimeoutMs: 3000, idleTransactionMs: 1000 })
  })
  afterAll(() => database.close())

  it('runs the written steps once, even when several servers start together', async () => {
    const runs = await Promise.all([
      migrate(database, migrations),
      migrate(database, migrations),
      migrate(database, migrations),
    ])
    expect(runs.flat()).toEqual(migrations.map(({ id }) => id))
    expect(await isMigrated(database, migrations)).toBe(true)
  })

  it('names each step that it does on data of an older release, before it does it, and none on an empty database', async () => {
    const fresh = await engine.open()
    const told: string[] = []
    const tell = (id: string) => void told.push(id)
    await migrate(fresh, migrations.slice(0, -2), tell)
    expect(told).toEqual([])
    const late = { id: 'late', up: async () => void told.push('done') }
    await migrate(fresh, [...migrations, late], tell)
    await fresh.close()
    expect(told).toEqual([...migrations.slice(-2).map(({ id }) => id), 'late', 'done'])
  })

  it('leaves nothing behind of a step that fails', async () => {
    const broken = [
      ...migrations,
      { id: 'w', up: 'create table "whole" ("id" int)' },
      { id: 'x', up: 'create table "half" ("id" int); select no_such_function()' },
    ]
    await expect(migrate(database, broken)).rejects.toThrow('no_such_function')
    const { rows } = await database.pool.query(
      `select to_regclass('whole') as "whole", to_regclass('half') as "half", (select count(*) from "migration" where "id" = 'w') as "steps"`,
    )
    expect(rows).toEqual([{ whole: null, half: null, steps: 0 }])
  })

  it('gives times as ISO text with milliseconds, days as text and numbers as numbers', async () => {
    const query = `select timestamptz '2026-03-29 03:30:00.123987+03' as "at", date '2026-02-28' as "day", 9007199254740991::int8 as "whole",
      12.50::numeric as "exact", array[1, 2]::int8[] as "many", array[timestamptz '2026-01-01 00:00:00Z', null] as "times", 0.1::float8 as "float",
      timestamptz '2026-01-01T12:00:00Z'::text as "shown"`
    const { rows } = await database.pool.query(query)
    expect(rows).toEqual([
      {
        at: '2026-03-29T00:30:00.123Z',
        day: '2026-02-28',
        whole: 9_007_199_254_740_991,
        exact: 12.5,
        many: [1, 2],
        times: ['2026-01-01T00:00:00.000Z', null],
        float: 0.1,
        shown: '2026-01-01 12:00:00+00',
      },
    ])
  })

  it('finds text by trigrams', async () => {
    const { rows } = await database.pool.query(`select similarity('inverter', 'invertor') > 0.4 as "alike"`)
    expect(rows).toEqual([{ alike: true }])
  })

  it('rolls a transaction back when its work throws', async () => {
    const work = inTransaction(database, async (db) => {
      await db.insertInto('credential').values({ userId: 'rolled-back', passwordHash: 'x' }).execute()
      throw new Error('on purpose')
    })
    await expect(work).rejects.toThrow('on purpose')
    const found = await database.kysely.selectFrom('credential').selectAll().where('userId', '=', 'rolled-back').execute()
    expect(found).toEqual([])
  })

  it('names the field of a value that is taken', async () => {
    const insert = () => database.kysely.insertInto('credential').values({ userId: 'twice', passwordHash: 'x' }).execute()
    await insert()
    const refusal = await failureOf(insert())
    expect(refusal).toMatchObject({ code: 'duplicate', status: 409, facts: { faults: [{ path: 'userId' }] } })
  })

  it('lets only one of twenty equal records in', async () => {
    const insert = () => database.kysely.insertInto('credential').values({ userId: 'race', passwordHash: 'x' }).execute()
    const results = await Promise.allSettled(Array.from({ length: 20 }, insert))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('never changes or removes an audit entry', async () => {
    await database.kysely.insertInto('auditLog').values({ id: 'a', action: 'create', entityType: 'ess' }).execute()
    await expect(database.kysely.updateTable('auditLog').set({ action: 'x' }).execute()).rejects.toThrow('never changed')
    await expect(database.kysely.deleteFrom('auditLog').execute()).rejects.toThrow('never changed')
    await expect(sql`truncate "auditLog"`.execute(database.kysely)).rejects.toThrow('never changed')
  })

  it('tells listeners what is notified, after the commit and not before', async () => {
    const heard: string[] = []
    const stop = await database.listen('news', { message: (payload) => heard.push(payload) })
    await inTransaction(database, async (db) => {
      await sql`select pg_notify('news', '17')`.execute(db)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(heard).toEqual([])
    })
    await expect.poll(() => heard).toEqual(['17'])
    await stop()
  })

  it('gives up on a statement that takes too long, and goes on', async () => {
    const endless = database.pool.query('select count(*) from generate_series(1, 10000000000)')
    expect(await failureOf(endless)).toMatchObject({ code: 'unavailable', status: 503 })
    expect(await isMigrated(database, migrations)).toBe(true)
  })

  it('takes the floor from a transaction that has fallen silent', async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`insert into "credential" ("userId", "passwordHash") values ('silent', 'x')`)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const refusal = await failureOf(client.query('commit'))
    expect(refusal).toMatchObject({ code: 'unavailable' })
    client.release(true)
    const { rows } = await database.pool.query(`select 1 from "credential" where "userId" = 'silent'`)
    expect(rows).toEqual([])
  })
})
