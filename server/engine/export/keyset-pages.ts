import { type RawBuilder, sql } from 'kysely'
import type { Sort } from '#schema/list-query.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Source, sortSql, tableOf } from '#server/engine/sql/field-sql.ts'
import { orderSql, stableSort } from '#server/engine/sql/filter-and-order.ts'

type Test = RawBuilder<boolean>
/** A sort key: its SQL and direction. Empty values sort last in both directions. */
type Key = { value: RawBuilder<unknown>; order: Sort['order'] }
/** Key value of one row, as text with its type; null when empty. */
type Seen = { text: string | null; type: string }

const typeName = /^[a-z ]+(?:\[\])?$/

function keysOf(source: Source, sort: readonly Sort[]): Key[] {
  return stableSort(source.resource, sort).map(({ field, order }) => ({
    value: field === 'id' ? sql.ref('t.id') : sortSql(source, field),
    order,
  }))
}

function seenSql({ text, type }: Seen): RawBuilder<unknown> {
  if (!typeName.test(type)) throw new Error(`Rows can not be read page by page in the order of a ${type}`)
  return sql`${text}::${sql.raw(type)}`
}

const beyond = ({ value, order }: Key, seen: Seen): Test =>
  sql`${value} ${sql.raw(order === 'asc' ? '>' : '<')} ${seenSql(seen)}`

type Pair = readonly [Key, Seen]

/** Condition for rows after the given keys. The last key is the id, which is unique and never null. */
function after([pair, ...rest]: readonly Pair[]): Test {
  if (!pair) return sql`false`
  const [key, seen] = pair
  if (seen.text === null) return sql`(${key.value} is null and ${after(rest)})`
  if (rest.length === 0) return beyond(key, seen)
  return sql`(${beyond(key, seen)} or ${key.value} is null or (${key.value} = ${seenSql(seen)} and ${after(rest)}))`
}

/** The same as one or two conditions that can use an index: rows with a filled first key, then those where it is empty. */
function continuations(pairs: readonly Pair[]): Test[] {
  const [first, ...rest] = pairs
  if (!first) return []
  const [key, seen] = first
  if (seen.text === null) return [after(pairs)]
  const sameWay = rest.length === 1 && rest[0]?.[0].order === key.order ? rest[0] : undefined
  const sign = sql.raw(key.order === 'asc' ? '>' : '<')
  const filled: Test = sameWay
    ? sql`(${key.value}, ${sameWay[0].value}) ${sign} (${seenSql(seen)}, ${seenSql(sameWay[1])})`
    : sql`${key.value} ${sign}= ${seenSql(seen)} and ${after(pairs)}`
  return rest.length === 0 ? [filled] : [filled, sql`${key.value} is null`]
}

type KeyRow = Record<string, string | null>

const lastSeen = (row: KeyRow, keys: readonly Key[]): Pair[] =>
  keys.map((key, index) => [key, { text: row[`key${index}`] ?? null, type: row[`type${index}`] ?? '' }])

/**
 * Keyset pagination: the ids of all matching rows in list order. Each page continues behind the last row of the previous one,
 * so no row repeats and the last page costs as much as the first where an index supports the order.
 */
export async function* keysetPages(
  db: Queryable,
  { source, where, sort, size }: { source: Source; where: Test; sort: readonly Sort[]; size: number },
): AsyncGenerator<string[]> {
  const keys = keysOf(source, sort)
  const columns = keys.map(
    ({ value }, index) =>
      sql`(${value})::text as ${sql.id(`key${index}`)}, pg_typeof(${value})::text as ${sql.id(`type${index}`)}`,
  )
  let tests: Test[] = [sql`true`]
  for (let test = tests.shift(); test; test = tests.shift()) {
    const rows = await rowsOf(
      db,
      sql<KeyRow>`select "t"."id", ${sql.join(columns)} from ${sql.table(tableOf(source.resource))} as "t"
        where ${where} and (${test}) order by ${orderSql(source, sort)} limit ${size}`,
    )
    if (rows.length > 0) yield rows.map(({ id }) => String(id))
    const last = rows.at(-1)
    if (last && rows.length === size) tests = continuations(lastSeen(last, keys))
  }
}
