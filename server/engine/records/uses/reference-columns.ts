import { sql } from 'kysely'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Catalog, familyOf } from '#server/engine/records/catalog.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/**
 * A column that points to records: `one` holds an id, `many` a list of ids, `parts` ids in a group or a list of rows, at a path
 * of JSON.
 */
export type ReferenceColumn = { table: string; column: string } & ({ holds: 'one' | 'many' } | { holds: 'parts'; path: string })

/** Paths to the references inside a group or a list. A lax path looks into lists by itself. */
const pathsIn = (fields: Fields, names: ReadonlySet<string>, path: string): string[] =>
  Object.entries(fields).flatMap(([name, part]) => {
    const inner = `${path}."${name}"`
    if (part.derived) return []
    if ('fields' in part) return pathsIn(part.fields, names, inner)
    return isReference(part) && names.has(part.to) ? [`${inner}[*]`] : []
  })

function referenceColumnsOf(table: string, column: string, field: Field, names: ReadonlySet<string>): ReferenceColumn[] {
  if (!isStored(field)) return []
  if ('fields' in field) return pathsIn(field.fields, names, '$').map((path) => ({ table, column, holds: 'parts', path }))
  if (!isReference(field) || !names.has(field.to)) return []
  return [{ table, column, holds: field.type === 'references' ? 'many' : 'one' }]
}

const keyOf = (reference: ReferenceColumn) =>
  [reference.table, reference.column, reference.holds === 'parts' ? reference.path : ''].join(' ')

/** Columns that reference a resource. */
export function columnsReferringTo(catalog: Catalog, resource: AnyResource): ReferenceColumn[] {
  const names = new Set(familyOf(catalog, resource).map(({ name }) => name))
  const columns = [...catalog.definitions.values()].flatMap((other) =>
    Object.entries(other.fields).flatMap(([column, field]) => referenceColumnsOf(tableOf(other), column, field, names)),
  )
  return [...new Map(columns.map((reference) => [keyOf(reference), reference])).values()]
}

/** The ids that a column holds, a row each, as a table of one column. */
export function referencedIds(reference: ReferenceColumn) {
  const column = sql.id(reference.column)
  if (reference.holds === 'parts') {
    const path = sql.lit(`lax ${reference.path}`)
    return sql`(select "part" #>> '{}' from jsonb_path_query(${column}, ${path}) as "found"("part"))`
  }
  return reference.holds === 'one' ? sql`(values (${column}))` : sql`jsonb_array_elements_text(coalesce(${column}, '[]'))`
}

/** True for a row that names a record in a column. */
export function referencesRecord(reference: ReferenceColumn, id: string) {
  const { column, holds } = reference
  if (holds === 'one') return sql`${sql.id(column)} = ${id}`
  if (holds === 'many') return sql`${sql.id(column)} ? ${id}`
  return sql`exists (select from ${referencedIds(reference)} as "named"("id") where "named"."id" = ${id})`
}
