import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { rulesByResource } from '#server/app/rules.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'
import { planTables } from '#server/engine/sql/table-plan.ts'
import { engines, openMigrated } from '#tests/support/databases.ts'
import { child, people, task, toy } from '#tests/support/toy-resource.ts'

const small = (fields: AnyResource['fields'], more: Partial<AnyResource> = {}): AnyResource => ({
  name: 'small-thing',
  label: { one: ['Thing', 'Вещь'], many: ['Things', 'Вещи'] },
  fields,
  ...more,
})
const label = ['A', 'А'] as const

describe('tables that can not stand', () => {
  it('are told all at once, each with its place', () => {
    const definitions = definitionsOf([
      small({ 'bad-name': { type: 'text', label }, version: { type: 'integer', label }, size: { type: 'integer', label } }),
      small({ size: { type: 'text', label } }, { name: 'part', subset: { of: 'small-thing', where: {} } }),
      small({}, { name: 'orphan', subset: { of: 'nothing', where: {} } }),
    ])
    const plan = () => planTables(definitions, {})
    expect(plan).toThrow('small-thing.bad-name: is no name for a column')
    expect(plan).toThrow('small-thing.version: is no name for a column')
    expect(plan).toThrow('part.size: is text here and int8 in the other definition of its table')
    expect(plan).toThrow('orphan: is part of nothing, which has no table')
  })
})

describe.each(engines)('tables on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openMigrated(engine)
  })
  // The tables of a test are none of the next one.
  beforeEach(() => database.pool.query('truncate "appliedDefinition"'))
  afterAll(() => database.close())

  const derive = (...resources: AnyResource[]) => prepareTables(database, definitionsOf(resources), {})
  const rows = (text: string) => rowsOf(database.kysely, sql.raw<Record<string, unknown>>(text))
  const columnsOf = async (table: string) =>
    Object.fromEntries(
      (await rows(`select column_name, udt_name from information_schema.columns where table_name = '${table}'`)).map((row) => [
        row.column_name,
        row.udt_name,
      ]),
    )

  it('stand for every type of field, and a second start changes nothing', async () => {
    const first = await derive(toy, task, people, child)
    expect(first.drift).toEqual([])
    const again = await derive(toy, task, people, child)
    expect(again).toEqual({ applied: [], added: [], drift: [] })
    const columns = await columnsOf('toy')
    expect(columns).toMatchObject({
      id: 'text',
      version: 'int4',
      createdAt: 'timestamptz',
      pieces: 'int8',
      powerW: 'float8',
      boughtOn: 'date',
    })
    expect(columns).toMatchObject({
      place: 'jsonb',
      tags: 'jsonb',
      isLoud: 'bool',
      seenAt: 'timestamptz',
      ownerId: 'text',
      pin: 'text',
    })
    expect(columns).not.toHaveProperty('isOld')
    expect(columns).not.toHaveProperty('taskCount')
  })

  it('hold the fields of a whole and of its parts together', async () => {
    expect(await columnsOf('person')).toMatchObject({ email: 'text', kind: 'text', language: 'text', school: 'text' })
    expect(await columnsOf('child')).toEqual({})
  })

  it('get new fields with their defaults, and an empty column becomes another type', async () => {
    await derive(small({ old: { type: 'text', label }, size: { type: 'integer', label } }))
    await rows(`insert into "small_thing" ("id") values ('1')`)
    const { applied, added, drift } = await derive(
      small({
        size: { type: 'text', label },
        isNew: { type: 'boolean', label, default: true },
        at: { type: 'dateTime', label },
      }),
    )
    expect(applied.filter((statement) => statement.includes('add column'))).toHaveLength(3)
    expect(added).toEqual(['small_thing.size', 'small_thing.isNew', 'small_thing.at'])
    expect(drift).toEqual(['small_thing.old is in the database only'])
    expect(await rows(`select "old", "size", "isNew", "at" from "small_thing"`)).toEqual([
      { old: null, size: null, isNew: true, at: null },
    ])
  })

  it('let choices grow with the definition, and never shrink below what rows hold', async () => {
    const withChoices = (...options: string[]) => small({ kind: { type: 'enum', label, options } }, { name: 'choosy' })
    const insert = (id: string, kind: string) => rows(`insert into "choosy" ("id", "kind") values ('${id}', '${kind}')`)
    await derive(withChoices('A', 'B'))
    await insert('1', 'B')
    await expect(insert('2', 'C')).rejects.toThrow()
    expect((await derive(withChoices('A', 'B', 'C'))).drift).toEqual([])
    await insert('2', 'C')
    await expect(derive(withChoices('A', 'C'))).rejects.toThrow('choosy.kind: 1 row holds a choice')
    await insert('3', 'B')
    await rows(`delete from "choosy" where "kind" = 'B'`)
    expect((await derive(withChoices('A', 'C'))).drift).toEqual([])
    await expect(insert('3', 'B')).rejects.toThrow()
  })

  it('have no index of ids beside that of their key', () => {
    const plans = planTables(definitionsOf(resources), rulesByResource)
    const texts = plans.flatMap(({ indexes }) =>
      [...indexes.values()].map(({ statement }) => statement.compile(database.kysely).sql),
    )
    expect(texts.filter((text) => /"name".* nulls last, "id" asc\)$/.test(text)).length).toBeGreaterThan(0)
    expect(texts.filter((text) => /\("id" (?:asc|desc)\)$/.test(text))).toEqual([])
  })

  it('take a text of any length that its definition allows, also where lists are sorted by it', async () => {
    const name = { type: 'text', label, maxLength: 5_000 } as const
    const about = { type: 'longText', label } as const
    await derive(small({ name, about }, { name: 'long', title: 'name', list: { sort: { field: 'about', order: 'asc' } } }))
    const insert = 'insert into "long" ("id", "name", "about") values ($1, $2, $3) returning length("name") as "length"'
    // A text that repeats itself would be compressed.
    const long = randomBytes(2_500).toString('hex')
    const { rows: made } = await database.pool.query(insert, ['1', long, long + long])
    expect(made).toEqual([{ length: 5_000 }])
  })

  it('are refused over duplicates when a field becomes unique', async () => {
    await derive(small({ code: { type: 'text', label } }, { name: 'doubled' }))
    await rows(`insert into "doubled" ("id", "code") values ('1', 'x'), ('2', 'x')`)
    const unique = small({ code: { type: 'text', label, unique: true } }, { name: 'doubled' })
    await expect(derive(unique)).rejects.toThrow('doubled.code: 2 rows hold a value that another one holds')
    expect(await rows(`select count(*) from "doubled"`)).toEqual([{ count: 2 }])
  })

  it('tell the rows that stand against a written index', async () => {
    const pair = small({ one: { type: 'text', label } }, { name: 'paired' })
    await derive(pair)
    await rows(`insert into "paired" ("id", "one") values ('1', 'x'), ('2', 'x')`)
    const rules = { paired: { indexes: [`create unique index if not exists "paired_uq" on "paired" ("one") where "id" > ''`] } }
    const refused = prepareTables(database, definitionsOf([pair]), rules)
    await expect(refused).rejects.toThrow(/create unique index if not exists "paired_uq".*Key \(one\)=\(x\) is duplicated/s)
  })

  it('may be begun by several servers at once', async () => {
    const resource = small({ code: { type: 'text', label, unique: true } }, { name: 'raced' })
    const done = await Promise.all([1, 2, 3, 4].map(() => derive(resource)))
    expect(done.filter(({ applied }) => applied.length > 0)).toHaveLength(1)
  })

  it('are refused where a table of another kind has the name', async () => {
    await rows('create table "taken" ("id" int)')
    await expect(derive(small({}, { name: 'taken' }))).rejects.toThrow('There is a table "taken" already')
  })
})
