import { sql } from 'kysely'
import type { Fault } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { rowsOf } from '#server/db/query.ts'
import { sourceOf, subsetSql, tableOf } from '#server/engine/sql/field-sql.ts'
import { ruleSql } from '#server/engine/sql/where.ts'
import { type Catalog, sourceFor } from './catalog.ts'
import type { Row, Work } from './resource-rules.ts'
import { ruleContext } from './work.ts'

type Pointer = { path: string; to: string; id: string }

function pointersOf(field: Field, value: unknown, path: string): Pointer[] {
  if (field.type === 'reference') return typeof value === 'string' ? [{ path, to: field.to, id: value }] : []
  if (field.type === 'references') {
    const ids: unknown[] = Array.isArray(value) ? value : []
    return ids.map((id, index) => ({ path: `${path}.${index}`, to: field.to, id: String(id) }))
  }
  if (field.type === 'group') return isObject(value) ? pointersIn(field.fields, value, `${path}.`) : []
  if (field.type !== 'list' || !Array.isArray(value)) return []
  return value.flatMap((item: unknown, index) => (isObject(item) ? pointersIn(field.fields, item, `${path}.${index}.`) : []))
}

const pointersIn = (fields: Fields, values: Row, prefix = ''): Pointer[] =>
  Object.entries(fields).flatMap(([name, field]) => pointersOf(field, values[name], `${prefix}${name}`))

/** Existing ids within the caller's scope. They are locked against deletion until the transaction ends. */
async function existing(catalog: Catalog, to: string, ids: readonly string[], work: Work): Promise<Set<string> | undefined> {
  const resource = catalog.definitions.get(to)
  const source = resource && sourceOf(sourceFor(catalog, resource), to)
  if (!resource || !source) return undefined
  const scope = resource.scope?.[work.caller.role]
  const inSight = scope ? ruleSql(source, scope, ruleContext(work.caller, work.now)) : sql`true`
  const rows = await rowsOf(
    work.db,
    sql<{ id: string }>`select "t"."id" from ${sql.table(tableOf(resource))} as "t"
      where "t"."id" in (${sql.join(ids)}) and ${subsetSql(source)} and ${inSight} for key share of "t"`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** A fault for every reference among the values that points to nothing. */
export async function referenceFaults(catalog: Catalog, fields: Fields, values: Row, work: Work): Promise<Fault[]> {
  const pointers = pointersIn(fields, values)
  const faults: Fault[] = []
  for (const to of new Set(pointers.map((pointer) => pointer.to))) {
    const own = pointers.filter((pointer) => pointer.to === to)
    const found = await existing(catalog, to, [...new Set(own.map(({ id }) => id))], work)
    const lost = found ? own.filter(({ id }) => !found.has(id)) : []
    faults.push(...lost.map(({ path }) => ({ path, code: 'no-such-record' })))
  }
  return faults
}
