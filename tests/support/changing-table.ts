import { sql } from 'kysely'
import { definitionsOf } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'

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
  constructor(database: Database) {
    this.database = database
  }

  /** Starts a server's tables by these definitions. */
  start = (...resources: AnyResource[]) => prepareTables(this.database, definitionsOf(resources), {})

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
