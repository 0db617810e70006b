import { type RawBuilder, sql } from 'kysely'
import { fieldOf, holdsSecret, isSummaryEmbedded, summaryKey, summaryOf } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { columnKindOf, type Kind } from './column-types.ts'
import {
  correlated,
  correlatedOnce,
  kindAt,
  ruleFields,
  type Source,
  sourceOf,
  subsetSql,
  tableOf,
  valueSql,
} from './field-sql.ts'
import { andRowAccess, isShownUnseen, rowAccessSql, visibleValue } from './row-access-sql.ts'

const wire = (value: RawBuilder<unknown>, kind: Kind) => (kind === 'time' ? isoTime(value) : value)

/** The value of a field in wire format. */
export const wireSql = (source: Source, name: string, field: Field): RawBuilder<unknown> =>
  wire(field.type === 'group' ? groupSql(source, name, field) : valueSql(source, name), columnKindOf(field))

/**
 * Summary of a reference: id and summary fields of the target, or null; a list for several ids. A record that the caller may
 * not see has only the fields in the target's `unseen`; without these it looks like a missing record, and so does a row of the
 * same table outside of the target's subset. Ids that cost to work out are read by `correlatedOnce`.
 */
export function summarySql(
  source: Source,
  { type, to }: FieldOf<'reference'> | FieldOf<'references'>,
  ids: RawBuilder<unknown>,
  correlate = correlated,
): RawBuilder<unknown> {
  const target = sourceOf(source, to)
  if (!target) return sql`null`
  const isMany = type === 'references'
  const isShown = (path: string) => path !== 'id' && !holdsSecret(fieldOf(target.resource, path))
  const names = ['id', ...summaryOf(target.resource).filter(isShown)]
  const columns = names.map((path) => {
    const field = fieldOf(target.resource, path)
    const value = field ? wire(valueSql(target, path), kindAt(field, path)) : sql`null`
    const seen = path === 'id' ? value : visibleValue(target, path, value, ruleFields)
    return sql`${seen} as ${sql.id(path.replaceAll('.', '_'))}`
  })
  const named = sql`select jsonb_array_elements_text(case jsonb_typeof("o"."key") when 'array' then "o"."key" end)`
  const match = isMany ? sql`in (${named})` : sql`= "o"."key"`
  const isNamed = names.some((path) => isShownUnseen(target, path))
  const seen = andRowAccess(isNamed ? 'all' : rowAccessSql(target, ruleFields))
  const answer = isMany
    ? sql`coalesce(json_agg("s".* order by array_position(array(${named}), "s"."id")), '[]')`
    : sql`row_to_json("s".*)`
  const inner = sql`select ${answer} from
    (select ${sql.join(columns)} from ${sql.table(tableOf(target.resource))} as "t"
    where "t"."id" ${match} and ${subsetSql(target)}${seen}) as "s"`
  return correlate(ids, inner)
}

/** A group with embedded summaries of its own references. */
function groupSql(source: Source, name: string, group: FieldOf<'group'>): RawBuilder<unknown> {
  const references = Object.entries(group.fields).flatMap(([key, field]) => (isReference(field) ? [[key, field] as const] : []))
  const base = valueSql(source, name)
  if (references.length === 0) return base
  const pairs = references.map(([key, field]) => {
    const id = valueSql(source, `${name}.${key}`)
    return sql`${sql.lit(summaryKey(key))}, ${summarySql(source, field, id, correlatedOnce)}`
  })
  return sql`(${base}) || jsonb_build_object(${sql.join(pairs)})`
}

/** An object with summaries beside the references of its parts; undefined when it has none. */
function partSummaries(source: Source, fields: Fields, json: RawBuilder<unknown>): RawBuilder<unknown> | undefined {
  const pairs = Object.entries(fields).flatMap(([name, field]) => {
    const part = sql`(${json} ${sql.raw(field.type === 'reference' ? '->>' : '->')} ${sql.lit(name)})`
    if (isReference(field)) {
      if (!isSummaryEmbedded(fields, name)) return []
      return [sql`${sql.lit(summaryKey(name))}, ${summarySql(source, field, part)}`]
    }
    const inner = field.type === 'group' ? partSummaries(source, field.fields, part) : rowSummaries(source, field, part)
    return inner && inner !== part ? [sql`${sql.lit(name)}, ${inner}`] : []
  })
  if (pairs.length === 0) return undefined
  return sql`(case jsonb_typeof(${json}) when 'object' then ${json} || jsonb_build_object(${sql.join(pairs)}) else ${json} end)`
}

/** A group with summaries in its lists and groups; its own references have theirs already. */
function groupSummaries(source: Source, fields: Fields, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const inner = Object.fromEntries(Object.entries(fields).filter(([, field]) => 'fields' in field))
  const group = partSummaries(source, inner, sql`"o"."key"`)
  return group ? correlatedOnce(sql`(${value})::jsonb`, group) : value
}

/** The value of a field with summaries in its rows and groups of parts; the same value when these have no references. */
export function rowSummaries(source: Source, field: Field, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (field.type === 'group') return groupSummaries(source, field.fields, value)
  if (field.type !== 'list') return value
  const row = partSummaries(source, field.fields, sql`"i"."row"`)
  if (!row) return value
  const key = sql`"o"."key"`
  const rows = sql`case jsonb_typeof(${key}) when 'array' then (select coalesce(jsonb_agg(${row} order by "i"."at"), '[]')
    from jsonb_array_elements(case jsonb_typeof(${key}) when 'array' then ${key} end) with ordinality as "i"("row", "at"))
    else ${key} end`
  return correlatedOnce(sql`(${value})::jsonb`, rows)
}
