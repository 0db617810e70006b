import { sql } from 'kysely'
import { mayRead } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { partsNaming, type StoredColumn } from '#server/account/person-references.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

type Reader = Pick<Work, 'definitions' | 'caller'>

/** Values of a part that its reader may have: plain ones, as what a reference names is somebody or something else. */
const plainValues = (fields: Fields, part: Row, { caller }: Reader): Row =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const isPlain = field.type !== 'group' && field.type !== 'list' && field.type !== 'secret' && !isReference(field)
      const value = part[name] ?? null
      return isPlain && mayRead(field, caller.role) && value !== null ? [[name, value]] : []
    }),
  )

const namesReader = (fields: Fields, part: Row, { caller }: Reader): boolean =>
  Object.entries(fields).some(([name, field]) => isReference(field) && [part[name]].flat().includes(caller.userId))

/** Parts of a group, or items of a list, that name the reader, at any depth. */
function ownParts(field: Field, value: unknown, reader: Reader): Row[] {
  if ((field.type !== 'group' && field.type !== 'list') || !mayRead(field, reader.caller.role)) return []
  const { fields } = field
  return [value].flat().flatMap((part: unknown): Row[] => {
    if (!isObject(part)) return []
    const values: Row = { ...part }
    const own = namesReader(fields, values, reader) ? [plainValues(fields, values, reader)] : []
    const below = Object.entries(fields).flatMap(([name, one]) => ownParts(one, values[name], reader))
    return [...own.filter((one) => Object.keys(one).length > 0), ...below]
  })
}

type Wanted = { column: StoredColumn; columns: readonly string[]; most: number }

/** Records with the caller's id inside of a group or a list: their `columns`, and the parts that name the caller. */
export async function recordsNaming({ column: place, columns: shown, most }: Wanted, work: Work): Promise<Row[]> {
  const { resource, column, field } = place
  const columns = [...new Set(['id', ...shown])].map((name) => sql.id(name))
  const own = sql.id(column)
  const named = partsNaming(work.definitions, field, work.caller.userId).map(
    (value) => sql`${own} @> ${JSON.stringify(value)}::jsonb`,
  )
  const rows = await rowsOf(
    work.db,
    sql<Row & { value: unknown }>`select ${sql.join(columns)}, ${own} as "value" from ${sql.table(tableOf(resource))}
      where ${own} <> '[]'::jsonb and (${sql.join(named, sql` or `)}) order by "createdAt" desc limit ${most}`,
  )
  return rows.map(({ value, ...row }) => {
    const parts = ownParts(field, value, work)
    return parts.length > 0 ? { ...row, [column]: parts } : row
  })
}
