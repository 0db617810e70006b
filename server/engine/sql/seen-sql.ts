import { type RawBuilder, sql } from 'kysely'
import { fieldOf } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { correlated, ruleFields, type Source, sourceOf, tableOf, valueSql } from './field-sql.ts'
import { andRowAccess, hidesIds, rowAccessSql } from './row-access-sql.ts'
import type { RuleFields } from './rule-sql.ts'

type Sql = RawBuilder<unknown>
const key = sql`"o"."key"`

const arrayOf = (json: Sql) => sql`(case jsonb_typeof((${json})::jsonb) when 'array' then (${json})::jsonb end)`

/** Seen ids of a reference in `key`; nothing is left of one that is hidden, as if it were empty. */
function seenIds(source: Source, { type, to }: FieldOf<'reference'> | FieldOf<'references'>): Sql | undefined {
  const target = sourceOf(source, to)
  if (!target || !hidesIds(target, ruleFields)) return undefined
  const seen = sql`from ${sql.table(tableOf(target.resource))} as "t"
    where "t"."id" = ${type === 'reference' ? key : sql`"n"."id"`}${andRowAccess(rowAccessSql(target, ruleFields))}`
  if (type === 'reference') return sql`select "t"."id" ${seen}`
  return sql`select jsonb_agg("n"."id" order by "n"."at")
    from jsonb_array_elements_text(${arrayOf(key)}) with ordinality as "n"("id", "at") where exists (select ${seen})`
}

/** An object with the seen values of its parts; undefined when all of them are seen. */
function seenParts(source: Source, fields: Fields, json: Sql): Sql | undefined {
  const pairs = Object.entries(fields).flatMap(([name, field]) => {
    const value = sql`(${json} ${sql.raw(field.type === 'reference' ? '->>' : '->')} ${sql.lit(name)})`
    const seen = seenSql(source, field, value)
    return seen === value ? [] : [sql`${sql.lit(name)}, ${seen}`]
  })
  if (pairs.length === 0) return undefined
  return sql`(case jsonb_typeof(${json}) when 'object' then ${json} || jsonb_build_object(${sql.join(pairs)}) end)`
}

function seenRows(source: Source, fields: Fields): Sql | undefined {
  const row = seenParts(source, fields, sql`"i"."row"`)
  return (
    row &&
    sql`(case when jsonb_typeof(${key}) = 'array' then (select coalesce(jsonb_agg(${row} order by "i"."at"), '[]')
    from jsonb_array_elements(${arrayOf(key)}) with ordinality as "i"("row", "at")) end)`
  )
}

/** The seen value of a field in `key`; undefined when the caller sees all of it. */
function seenOf(source: Source, field: Field): Sql | undefined {
  if (isReference(field)) return seenIds(source, field)
  if (field.type === 'group') return seenParts(source, field.fields, key)
  return field.type === 'list' ? seenRows(source, field.fields) : undefined
}

/**
 * The value of a field without the ids of records that `unseen` hides from the caller, in every reference: alone, among several,
 * in groups and in lists. The same value when none is hidden.
 */
export function seenSql(source: Source, field: Field, value: Sql): Sql {
  const seen = seenOf(source, field)
  return seen ? correlated(field.type === 'reference' ? value : sql`(${value})::jsonb`, seen) : value
}

/** The value at a path as the caller sees it: filters, orders and groups find no more than the answer tells. */
export function seenValueSql(source: Source, path: string): Sql {
  const field = fieldOf(source.resource, path)
  const value = valueSql(source, path)
  return field && !source.isJudging ? seenSql(source, field, value) : value
}

/** Field access of a caller's filters. */
export const seenFields = (source: Source): RuleFields => ({
  ...ruleFields(source),
  value: (path) => seenValueSql(source, path),
})
