import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'
import { openMigrated, type TestEngine } from './databases.ts'

export type Raw = Record<string, unknown>
export const label = ['A', 'А'] as const

/** A definition that changes in the course of a test. */
export const visit = (fields: Fields, more: Partial<AnyResource> = {}): AnyResource => ({
  name: 'visit',
  label: { one: ['Visit', 'Выезд'], many: ['Visits', 'Выезды'] },
  fields,
  ...more,
})

/** The table of a changing definition in a database of its own. */
export class ChangingTable {
  readonly database: Database
  /** Names in the list of resources that are no more. */
  goneResources: readonly string[] = []
  constructor(database: Database) {
    this.database = database
  }

  /** Starts a server's tables by these definitions. */
  start = (...resources: AnyResource[]) =>
    prepareTables(this.database, definitionsOf(resources), {}, { goneResources: this.goneResources })

  run = (text: string) => rowsOf(this.database.kysely, sql.raw<Raw>(text))

  async fill(table: string, rows: readonly Raw[]): Promise<void> {
    await this.database.pool.query(
      `insert into "${table}" (${Object.keys(rows[0] ?? {}).map((name) => `"${name}"`)})
        select ${Object.keys(rows[0] ?? {}).map((name) => `"${name}"`)} from jsonb_populate_recordset(null::"${table}", $1)`,
      [JSON.stringify(rows)],
    )
  }

  /** Obstacles for which a start by these definitions is refused. */
  async refusalOf(...resources: AnyResource[]): Promise<Raw[]> {
    const refused: unknown = await this.start(...resources).then(
      () => ({ obstacles: [] }),
      (error: unknown) => error,
    )
    const obstacles: unknown = Reflect.get(Object(refused), 'obstacles')
    if (!Array.isArray(obstacles)) throw refused
    return obstacles
  }
}

/**
 * One database for the tests of a `describe`. Before each, tables of the one before are dropped and its definitions forgotten:
 * that costs a tenth of a database of its own.
 */
export function changingDatabase(engine: TestEngine): () => Database {
  let database: Database
  let known: readonly string[]
  const tables = async () =>
    (
      await rowsOf(
        database.kysely,
        sql<{ name: string }>`select format('%I', tablename) as "name" from pg_tables where schemaname = 'public'`,
      )
    ).map(({ name }) => name)
  beforeAll(async () => {
    database = await openMigrated(engine)
    known = await tables()
  })
  beforeEach(async () => {
    const made = (await tables()).filter((name) => !known.includes(name))
    if (made.length > 0) await database.pool.query(`drop table ${made.join(', ')} cascade`)
    await database.pool.query('truncate "appliedDefinition", "appliedPlan", "planArchive", "storedFile" cascade')
  })
  afterAll(() => database.close())
  return () => database
}
