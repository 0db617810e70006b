import { sql } from 'kysely'
import { baseNameOf, type Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** A stored column of a resource. */
export type StoredColumn = { resource: AnyResource; column: string; field: Field }

const isPerson = (definitions: Definitions, name: string) => baseNameOf(definitions, name) === 'user'

/** True for a reference to users, or to a subset of them. */
export const isPersonReference = (definitions: Definitions, field: Field): boolean =>
  field.type === 'reference' && isPerson(definitions, field.to)

/** True when the value is JSON that holds ids of users, at any depth. */
function holdsPeople(definitions: Definitions, field: Field): boolean {
  if (field.type === 'references') return isPerson(definitions, field.to)
  if (field.type !== 'group' && field.type !== 'list') return false
  return Object.values(field.fields).some((part) => isPersonReference(definitions, part) || holdsPeople(definitions, part))
}

/** Stored columns of definitions with a table, with their fields. Views, such as the audit log, are not included. */
export async function storedColumns(db: Queryable, definitions: Definitions): Promise<StoredColumn[]> {
  const tables = await rowsOf(
    db,
    sql<{ name: string }>`select table_name as "name" from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  const names = new Set(tables.map(({ name }) => name))
  return [...definitions.values()]
    .filter((resource) => names.has(tableOf(resource)))
    .flatMap((resource) =>
      Object.entries(resource.fields).flatMap(([column, field]) => (isStored(field) ? [{ resource, column, field }] : [])),
    )
}

/** Columns that reference a user. */
export const personReferences = (definitions: Definitions, columns: readonly StoredColumn[]): StoredColumn[] =>
  columns.filter(({ field }) => isPersonReference(definitions, field))

/** Columns with references to users inside: groups, lists, and lists of ids. */
export const nestedPersonReferences = (definitions: Definitions, columns: readonly StoredColumn[]): StoredColumn[] =>
  columns.filter(({ field }) => holdsPeople(definitions, field))

/** Values that a column contains where it names a person in a part: one for each path to such a part. */
export function partsNaming(definitions: Definitions, field: Field, id: string): unknown[] {
  if (isPersonReference(definitions, field)) return [id]
  if (field.type === 'references') return isPerson(definitions, field.to) ? [[id]] : []
  if (field.type !== 'group' && field.type !== 'list') return []
  const parts = Object.entries(field.fields).flatMap(([name, part]) =>
    partsNaming(definitions, part, id).map((value) => ({ [name]: value })),
  )
  return field.type === 'list' ? parts.map((part) => [part]) : parts
}
