import { sql } from 'kysely'
import { type ImportColumn, importColumns, importKeys, keysLabel } from '#schema/import-columns.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { valueAt } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { recordset } from '#server/db/insert-rows.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { columnTypeOf } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import type { Planning } from '#server/filling/outcome.ts'
import { fillingProblem } from '#server/filling/problems.ts'
import type { SourceTable } from '#server/filling/source-rows.ts'
import { sameValues } from './value-holders.ts'

/** A value as it is stored; undefined for one that no record can have, which the check of the row reports. */
function storedValue({ path, field }: ImportColumn): (values: Row) => unknown {
  const schema = valueSchema(field)
  return (values) => {
    const value = valueAt(values, path)
    const { success, data } = schema.safeParse(value)
    if (success) return data
    // A text that no longer fits may be that of an older record.
    return columnTypeOf(field) === 'text' && typeof value === 'string' ? value : undefined
  }
}

/** Ids of the records that rows of the file are about, by row. Compared in the database, which knows the types. */
export async function knownRecords({ table, work }: Planning, resource: AnyResource): Promise<ReadonlyMap<number, string>> {
  const [key] = importKeys(resource, table.columns)
  if (!key) return new Map()
  const readers = key.map((column) => [column.path, storedValue(column)] as const)
  const rows = table.rows.flatMap(({ row, values }) => {
    const own = readers.map(([path, read]) => [path, read(values)] as const)
    const isWhole = own.every(([, value]) => value !== undefined && value !== null)
    return isWhole ? [{ ...Object.fromEntries(own), id: String(row) }] : []
  })
  if (rows.length === 0) return new Map()
  const name = tableOf(resource)
  const found = await rowsOf(
    work.db,
    sql<{ row: string; id: string }>`select "given"."id" as "row", "t"."id" from ${recordset(name, rows)} as "given"
      join ${sql.table(name)} "t" on ${sameValues(key.map(({ path }) => path))}`,
  )
  return new Map(found.map(({ row, id }) => [Number(row), id]))
}

type Asked = { target: string; table: SourceTable }

/** Throws 400 for changes of records where nothing of the file tells which record a row is about. */
export function refuseUnknown({ catalog }: Engine, { target, table }: Asked, role: Role): void {
  const resource = catalog.definitions.get(target)
  if (!resource || importKeys(resource, table.columns).length > 0) return
  const keys = importKeys(resource, importColumns(catalog.definitions, target, role))
  if (keys.length === 0) throw fillingProblem('import.no-key')
  throw fillingProblem('import.key-not-filled', { values: { keys: keysLabel(keys) } })
}
