import { type RawBuilder, sql } from 'kysely'
import { titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { storedTexts } from '#schema/value-schema.ts'
import { rowsOf } from '#server/db/query.ts'
import { sourceFor } from '#server/engine/records/catalog.ts'
import { readFullRecords } from '#server/engine/records/reader.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { ruleFields, subsetSql, tableOf } from '#server/engine/sql/field-sql.ts'
import { andRowAccess, rowAccessSql } from '#server/engine/sql/row-access-sql.ts'

const atOnce = 500

const pieces = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / atOnce) }, (_, index) => items.slice(index * atOnce, (index + 1) * atOnce))

type Asked = {
  engine: Engine
  work: Work
  resource: AnyResource
  field: string
  values: readonly string[]
  /** Condition on the rows, which are "t"; default: all. */
  within?: RawBuilder<boolean>
}

/** Existing values of a unique field, with their record ids. */
export async function takenValues({ work, resource, field, values, within = sql`true` }: Asked): Promise<Map<string, string>> {
  const taken = new Map<string, string>()
  for (const piece of pieces([...new Set(values)])) {
    const rows = await rowsOf(
      work.db,
      sql<{ value: string; id: string }>`select "t".${sql.id(field)} as "value", "t"."id"
        from ${sql.table(tableOf(resource))} as "t" where "t".${sql.id(field)} = any(${sql.val(piece)}::text[]) and ${within}`,
    )
    for (const { value, id } of rows) taken.set(value, id)
  }
  return taken
}

/** Full records by id; an id without a record is missing from the map. */
export async function recordsById(
  { engine, work }: Pick<Asked, 'engine' | 'work'>,
  resource: AnyResource,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const records = new Map<string, Row>()
  for (const piece of pieces(ids)) {
    const rows = await readFullRecords(work.db, engine.catalog, { resource, ids: piece, caller: work.caller })
    for (const row of rows) records.set(String(row.id), row)
  }
  return records
}

async function sharedTitles({
  work,
  resource,
  field,
  values,
  within = sql`true`,
}: Omit<Asked, 'engine'>): Promise<Set<string>> {
  const shared = new Set<string>()
  for (const piece of pieces([...new Set(values)])) {
    const rows = await rowsOf(
      work.db,
      sql<{ value: string }>`select "t".${sql.id(field)} as "value" from ${sql.table(tableOf(resource))} as "t"
        where "t".${sql.id(field)} = any(${sql.val(piece)}::text[]) and ${within} group by 1 having count(*) > 1`,
    )
    for (const { value } of rows) shared.add(value)
  }
  return shared
}

/**
 * Ids of referenced records by the names given, which are ids or titles in any accepted form: the code of an ESS, the e-mail of
 * a user. Undefined for an ambiguous title; no entry for an unknown name, or for a record that the caller may not see, unless
 * `options` of the field decide (`isChosen`).
 */
export async function namedRecords({
  engine,
  work,
  to,
  names,
  isChosen = false,
}: { to: string; names: readonly string[]; isChosen?: boolean } & Pick<Asked, 'engine' | 'work'>): Promise<
  Map<string, string | undefined>
> {
  const target = engine.catalog.definitions.get(to)
  if (!target || names.length === 0) return new Map()
  const title = titleOf(target)
  const stored = storedTexts(target.fields[title])
  const titles = new Map(names.map((name) => [name, stored(name)]))
  const source = sourceFor(engine.catalog, target, work.caller)
  const access = isChosen ? undefined : rowAccessSql(source, ruleFields)
  const within = sql<boolean>`${subsetSql(source)}${andRowAccess(access)}`
  const asked = { engine, work, resource: target, values: [...titles.values()], within }
  const byTitle = await takenValues({ ...asked, field: title })
  const rest = names.filter((name) => !byTitle.has(titles.get(name) ?? name))
  const byId = await takenValues({ ...asked, field: 'id', values: rest })
  const isOne = target.fields[title]?.unique || title === 'id'
  const shared = isOne ? new Set<string>() : await sharedTitles({ ...asked, field: title })
  return new Map(
    [...titles].flatMap(([name, its]): [string, string | undefined][] => {
      if (shared.has(its)) return [[name, undefined]]
      const id = byTitle.get(its) ?? byId.get(name)
      return id === undefined ? [] : [[name, id]]
    }),
  )
}

/** A cell's text by the path of its column. */
export const textAt = (values: Row, path: string): string | undefined => {
  const value = valueAt(values, path)
  return typeof value === 'string' ? value : undefined
}
