import { type CompiledQuery, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { inPipeline } from '#server/db/pipeline.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { engines } from '#tests/support/databases.ts'

const add = (db: Queryable, id: number) => rowsOf(db, sql`${prepared} insert into "thing" ("id") values (${id})`)

describe.each(engines)('a transaction in pipeline mode on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await engine.open()
    await sql`create table "thing" ("id" int primary key)`.execute(database.kysely)
  })
  beforeEach(() => sql`delete from "thing"`.execute(database.kysely))
  afterAll(() => database.close())

  const ids = async () =>
    (await rowsOf(database.kysely, sql<{ id: number }>`select "id" from "thing" order by 1`)).map((row) => row.id)

  it('executes statements in the order in which they are asked, and keeps them', async () => {
    const count = (db: Queryable) => rowsOf(db, sql<{ count: number }>`select count(*)::int as "count" from "thing"`)
    for (const first of [0, 100, 200, 300]) {
      const answers = await inPipeline(database, (db) =>
        Promise.all([count(db), add(db, first + 1), count(db), add(db, first + 2), add(db, first + 3), count(db)]),
      )
      const before = (first / 100) * 3
      expect([answers[0], answers[2], answers[5]]).toEqual([0, 1, 3].map((more) => [{ count: before + more }]))
    }
    expect(await ids()).toHaveLength(12)
  })

  it('keeps nothing when one of them fails, tells of the first failure, and leaves the connection usable', async () => {
    await add(database.kysely, 1)
    for (let attempt = 0; attempt < 12; attempt++)
      await expect(inPipeline(database, (db) => Promise.all([add(db, 2), add(db, 1), add(db, 3)]))).rejects.toMatchObject({
        code: '23505',
      })
    expect(await ids()).toEqual([1])
    await inPipeline(database, (db) => add(db, 4))
    expect(await ids()).toEqual([1, 4])
  })

  it('refuses what is asked after its end', async () => {
    let late: Queryable = database.kysely
    await expect(
      inPipeline(database, async (db) => {
        late = db
        throw new Error('no luck')
      }),
    ).rejects.toThrow('no luck')
    await expect(add(late, 5)).rejects.toThrow('no luck')
    await inPipeline(database, async (db) => {
      late = db
    })
    await expect(add(late, 6)).rejects.toThrow('The transaction is over')
    expect(await ids()).toEqual([])
  })
})

describe('a transaction in pipeline mode whose begin fails', () => {
  it('sends nothing after that', async () => {
    const sent: string[] = []
    const connection = {
      async executeQuery({ sql: text }: CompiledQuery) {
        sent.push(text)
        if (text === 'begin') throw new Error('not now')
        return { rows: [] }
      },
      // biome-ignore lint/correctness/useYield: nothing is streamed here
      async *streamQuery() {
        throw new Error('not asked')
      },
    }
    const done = async () => undefined
    const driver = {
      acquireConnection: async () => connection,
      beginTransaction: done,
      commitTransaction: done,
      rollbackTransaction: done,
      releaseConnection: done,
      init: done,
      destroy: done,
    }
    const kysely: Database['kysely'] = new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    const work = inPipeline({ kysely }, async (db) => {
      await rowsOf(db, sql`select 1`)
      await rowsOf(db, sql`select 2`)
    })
    await expect(work).rejects.toThrow('not now')
    expect(sent).toEqual(['begin', 'select 1', 'rollback'])
  })
})
