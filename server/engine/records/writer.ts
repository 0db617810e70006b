import { sql } from 'kysely'
import { allFields } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { columnTypeOf } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Catalog, familyOf } from './catalog.ts'
import type { Row } from './resource-rules.ts'

/** All fields of the table's definitions. */
export const tableFields = (catalog: Catalog, resource: AnyResource): Fields =>
  Object.assign({}, ...familyOf(catalog, resource).toReversed().map(allFields))

function parameter(fields: Fields, name: string, value: unknown) {
  const field = fields[name]
  if (value === undefined || value === null) return sql`null`
  const isJson = field && columnTypeOf(field) === 'jsonb'
  return isJson ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`
}

/**
 * Locks a row until the end of the transaction. A separate statement: one that waits for the lock and also reads would see
 * other tables as of before the wait, and guards would decide on stale data.
 */
export async function lockRow(db: Queryable, resource: AnyResource, id: string): Promise<void> {
  await rowsOf(db, sql`select from ${sql.table(tableOf(resource))} where "id" = ${id} for update`)
}

/** Inserts a row; a violated unique index throws the database's error. */
export async function insertRow(db: Queryable, catalog: Catalog, resource: AnyResource, row: Row): Promise<void> {
  const fields = tableFields(catalog, resource)
  const names = Object.keys(row)
  const columns = sql.join(names.map((name) => sql.id(name)))
  const values = sql.join(names.map((name) => parameter(fields, name, row[name])))
  await rowsOf(db, sql`insert into ${sql.table(tableOf(resource))} (${columns}) values (${values})`)
}

type RowChange = { resource: AnyResource; id: string; version: number; change: Row }

/** Optimistic lock: updates a row of exactly this version and increments it. False when the version differs. */
export async function updateRow(
  db: Queryable,
  catalog: Catalog,
  { resource, id, version, change }: RowChange,
): Promise<boolean> {
  const fields = tableFields(catalog, resource)
  const settings = Object.entries(change).map(([name, value]) => sql`${sql.id(name)} = ${parameter(fields, name, value)}`)
  const row = await rowOf(
    db,
    sql`update ${sql.table(tableOf(resource))} set ${sql.join([...settings, sql`"version" = ${version}::int4 + 1`])}
      where "id" = ${id} and "version" = ${version}::int4 returning "id"`,
  )
  return row !== undefined
}

export async function deleteRow(db: Queryable, resource: AnyResource, id: string): Promise<void> {
  await rowsOf(db, sql`delete from ${sql.table(tableOf(resource))} where "id" = ${id}`)
}
