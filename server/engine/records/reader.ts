import { type RawBuilder, sql } from 'kysely'
import { isSetKey, summaryKey } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { ListQuery } from '#schema/list-query.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import type { Caller } from '#server/base/caller.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { correlatedOnce, type Source, tableOf, valueSql } from '#server/engine/sql/field-sql.ts'
import { orderSql, searchWords } from '#server/engine/sql/filter-and-order.ts'
import { seenSql } from '#server/engine/sql/seen-sql.ts'
import { RowsBeside } from '#server/engine/sql/shared-rows.ts'
import { rowSummaries, summarySql, wireSql } from '#server/engine/sql/summary-sql.ts'
import { type Catalog, familyOf, sourceFor } from './catalog.ts'
import type { Row } from './resource-rules.ts'
import { hiddenParts, seenKey } from './visible-fields.ts'

type Column = { source: Source; name: string; field: Field }

/**
 * PostgreSQL serialises the JSON, so every value is selected in wire format. Whole rows are named with a star: of a relation "r"
 * with a column "r", `row_to_json("r")` takes the column.
 */
function columnSql({ source, name, field }: Column, role: Role | undefined): RawBuilder<unknown>[] {
  if (field.type === 'secret') return [sql`(${valueSql(source, name)} is not null) as ${sql.id(isSetKey(name))}`]
  const hidden = role ? hiddenParts(field, role) : []
  const stored = wireSql(source, name, field)
  const unhidden = seenSql(source, field, stored)
  // Summaries in rows are part of what is shown only: what is stored is written back by rules. Derived rows are not.
  const seen = rowSummaries(source, field, unhidden)
  const shown = source.isWhole && !(field.derived && unhidden === stored) ? stored : seen
  const value = hidden.reduce((left, path) => sql`(${left}) #- ${sql.lit(`{${path.join(',')}}`)}`, shown)
  const own = [sql`${value} as ${sql.id(name)}`, ...(shown === seen ? [] : [sql`${seen} as ${sql.id(seenKey(name))}`])]
  if (!isReference(field)) return own
  return [
    ...own,
    sql`${summarySql(source, field, valueSql(source, name), field.derived ? correlatedOnce : undefined)} as ${sql.id(summaryKey(name))}`,
  ]
}

const columnsFrom = (source: Source, fields: Fields): Column[] =>
  Object.entries(fields).map(([name, field]) => ({ source, name, field }))

/** SQL of columns, and of the rows that they read beside "t". */
type Columns = { columns: RawBuilder<unknown>; joins: RawBuilder<unknown> }

/** `beside` is that of the columns' sources. */
function selected(fields: readonly Column[], beside: RowsBeside, role?: Role): Columns {
  const columns = sql.join(fields.flatMap((column) => columnSql(column, role)))
  return { columns, joins: beside.joins() }
}

type Kept = WeakMap<AnyResource, Map<string, Columns | 'of its caller'>>
const columnTexts = new WeakMap<object, Kept>()

/**
 * List columns differ by role only, so their SQL is built once per role: it is the longest part of the statement. Columns with
 * parameters may differ by caller and are built each time.
 */
function rowColumns(db: Queryable, { source, fields, role }: Pick<ListRequest, 'source' | 'fields' | 'role'>): Columns {
  const own: Kept = columnTexts.get(source.rules) ?? new WeakMap()
  const byRole = own.get(source.resource) ?? new Map<string, Columns | 'of its caller'>()
  const key = `${role} ${Object.keys(fields).join(' ')}`
  const known = byRole.get(key)
  if (known && known !== 'of its caller') return known
  const beside = new RowsBeside()
  const made = selected(columnsFrom({ ...source, beside }, fields), beside, role)
  if (known) return made
  const { sql: text, parameters } = made.columns.compile(db)
  const isShared = parameters.length === 0
  byRole.set(key, isShared ? { ...made, columns: sql.raw(text) } : 'of its caller')
  columnTexts.set(source.rules, own.set(source.resource, byRole))
  return made
}

export type ListRequest = { source: Source; fields: Fields; role: Role; where: RawBuilder<boolean>; query: ListQuery }

/**
 * The requested rows of a selection. Text without parameters is planned once, for its own constants. With parameters the row
 * limit is a parameter, too: PostgreSQL then prefers a custom plan per value, since a generic plan for a frequent value scans
 * the whole table for a rare one.
 */
function windowSql({ start, end }: ListQuery, isOpen: boolean): RawBuilder<unknown> {
  return isOpen || start > 0 ? sql`limit ${end - start} offset ${start}` : sql`limit ${sql.lit(end)}`
}

/** One page of a list, as JSON text in "json". Summaries and derived fields are computed for the page's rows only. */
export function pageSql(db: Queryable, asked: ListRequest): RawBuilder<{ json: string }> {
  const { source, where, query } = asked
  const order = orderSql(source, query.sort)
  const { columns, joins } = rowColumns(db, asked)
  const isOpen = where.compile(db).parameters.length > 0
  const page = sql`select "t".* from ${sql.table(tableOf(source.resource))} as "t" where ${where}
    order by ${order} ${windowSql(query, isOpen)}`
  // A search of several words has a statement of its own for each number of them, and names of prepared ones are few.
  const isFrequent = searchWords(query.q ?? '').length === 1
  return sql`${isFrequent ? prepared : sql``}select coalesce(json_agg("r".*), '[]')::text as "json" from
    (select ${columns} from (${page}) as "t"${joins} order by ${order}) as "r"`
}

export const readPage = async (db: Queryable, asked: ListRequest): Promise<string> =>
  (await rowOf(db, pageSql(db, asked)))?.json ?? '[]'

/** The number of rows of a list, in "total". */
export const totalSql = ({ resource }: Source, where: RawBuilder<boolean>) =>
  sql<{ total: number }>`select count(*) as "total" from ${sql.table(tableOf(resource))} as "t" where ${where}`

/** `caller` masks referenced records. Undefined for server-internal reads. */
type FullRecordsRequest = { resource: AnyResource; ids: readonly string[]; caller: Caller | undefined }

/** Columns of every definition over the table, without sort-only fields; of a secret, whether it is set. */
function wholeColumns(catalog: Catalog, { resource, caller }: Pick<FullRecordsRequest, 'resource' | 'caller'>): Columns {
  const beside = new RowsBeside()
  const columns = new Map<string, Column>()
  for (const member of familyOf(catalog, resource)) {
    const source = { ...sourceFor(catalog, member, caller), isWhole: true, beside }
    for (const column of columnsFrom(source, { ...systemFields, ...member.fields })) {
      const known = columns.has(column.name)
      if (!column.field.sortOnly && !known) columns.set(column.name, column)
    }
  }
  return selected([...columns.values()], beside)
}

/** The complete record by id, regardless of the caller: for rules, not for answers. */
export async function readFullRecord(
  db: Queryable,
  catalog: Catalog,
  { id, ...request }: Omit<FullRecordsRequest, 'ids'> & { id: string },
): Promise<Row | undefined> {
  const [record] = await readFullRecords(db, catalog, { ...request, ids: [id] })
  return record
}

/** The same for many records, unordered. */
export async function readFullRecords(
  db: Queryable,
  catalog: Catalog,
  { resource, ids, caller }: FullRecordsRequest,
): Promise<Row[]> {
  const { columns, joins } = wholeColumns(catalog, { resource, caller })
  // A generic plan assumes many rows for an array of ids, but one row for a single id.
  const [only, ...others] = ids
  const chosen = others.length === 0 ? sql`"t"."id" = ${only}` : sql`"t"."id" = any(${sql.val(ids)}::text[])`
  const rows = await rowsOf(
    db,
    sql<{ json: string }>`${prepared}select row_to_json("r".*)::text as "json" from
      (select ${columns} from ${sql.table(tableOf(resource))} as "t"${joins} where ${chosen}) as "r"`,
  )
  return rows.map(({ json }): Row => JSON.parse(json))
}
