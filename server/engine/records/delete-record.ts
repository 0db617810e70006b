import { sql } from 'kysely'
import type { Field, Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { pointsElsewhere, tableOf } from '#server/engine/sql/field-sql.ts'
import { announce } from './answer-record.ts'
import { auditChange } from './audit-change.ts'
import { type Catalog, familyOf, rulesOf } from './catalog.ts'
import { readWhole } from './reader.ts'
import type { Row, Work } from './resource-rules.ts'
import { demandSight, refuseClosed, usedAs } from './row-access.ts'
import { kindsOf, lockedRow, type RowCall, refuseStale } from './update-record.ts'
import { type Engine, ruleContext } from './work.ts'
import { deleteRow, tableFields } from './writer.ts'

/**
 * A column that points to records: `one` holds an id, `many` a list of ids, `parts` ids in a group or a list of rows, at a path of
 * JSON.
 */
export type Pointing = { table: string; column: string } & ({ holds: 'one' | 'many' } | { holds: 'parts'; path: string })

/** Paths to the references inside a group or a list. A lax path looks into lists by itself. */
const pathsIn = (fields: Fields, names: ReadonlySet<string>, path: string): string[] =>
  Object.entries(fields).flatMap(([name, part]) => {
    const inner = `${path}."${name}"`
    if (part.derived) return []
    if ('fields' in part) return pathsIn(part.fields, names, inner)
    return pointsElsewhere(part) && names.has(part.to) ? [`${inner}[*]`] : []
  })

function pointingsOf(table: string, column: string, field: Field, names: ReadonlySet<string>): Pointing[] {
  if (!isStored(field)) return []
  if ('fields' in field) return pathsIn(field.fields, names, '$').map((path) => ({ table, column, holds: 'parts', path }))
  if (!pointsElsewhere(field) || !names.has(field.to)) return []
  return [{ table, column, holds: field.type === 'references' ? 'many' : 'one' }]
}

const keyOf = (pointing: Pointing) =>
  [pointing.table, pointing.column, pointing.holds === 'parts' ? pointing.path : ''].join(' ')

/** Columns that reference a resource. */
export function pointersTo(catalog: Catalog, resource: AnyResource): Pointing[] {
  const names = new Set(familyOf(catalog, resource).map(({ name }) => name))
  const pointers = [...catalog.definitions.values()].flatMap((other) =>
    Object.entries(other.fields).flatMap(([column, field]) => pointingsOf(tableOf(other), column, field, names)),
  )
  return [...new Map(pointers.map((pointing) => [keyOf(pointing), pointing])).values()]
}

/** The ids that a column holds, a row each, as a table of one column. */
export function idsIn(pointing: Pointing) {
  const column = sql.id(pointing.column)
  if (pointing.holds === 'parts') {
    const path = sql.lit(`lax ${pointing.path}`)
    return sql`(select "part" #>> '{}' from jsonb_path_query(${column}, ${path}) as "found"("part"))`
  }
  return pointing.holds === 'one' ? sql`(values (${column}))` : sql`jsonb_array_elements_text(coalesce(${column}, '[]'))`
}

function names(pointing: Pointing, id: string) {
  const { column, holds } = pointing
  if (holds === 'one') return sql`${sql.id(column)} = ${id}`
  if (holds === 'many') return sql`${sql.id(column)} ? ${id}`
  return sql`exists (select from ${idsIn(pointing)} as "named"("id") where "named"."id" = ${id})`
}

/** Refuses (409) to leave references behind that point to nothing. */
async function refuseWhileReferred(
  catalog: Catalog,
  { resource, id }: { resource: AnyResource; id: string },
  work: Work,
): Promise<void> {
  for (const pointing of pointersTo(catalog, resource)) {
    const { table } = pointing
    const isSelf = table === tableOf(resource) ? sql`"id" <> ${id}` : sql`true`
    const found = await rowOf(
      work.db,
      sql`select 1 from ${sql.table(table)} where ${names(pointing, id)} and ${isSelf} limit 1`,
    )
    if (found) throw problem('in-use')
  }
}

/** Deletes a row, or lets its rules do it in their softer way. */
export async function deleteRecord(
  engine: Engine,
  call: RowCall & { version?: unknown; reason?: unknown },
  work: Work,
): Promise<void> {
  const { catalog } = engine
  const { resource, resources, id, version, reason } = call
  const before = await lockedRow(engine, call, work)
  const context = ruleContext(work.caller, work.now)
  const sight = demandSight(catalog, { resources, verb: 'delete', record: before, context })
  refuseStale(catalog, { record: before, used: usedAs(sight), version }, work)
  const rules = rulesOf(catalog, kindsOf(catalog, resource, before))
  const answers: ('delete' | 'done')[] = []
  for (const { beforeDelete } of rules) if (beforeDelete) answers.push(await beforeDelete(before, work))
  refuseClosed(sight.resources, { verb: 'delete', record: before, context })
  if (!answers.includes('done')) {
    await refuseWhileReferred(catalog, { resource, id }, work)
    await deleteRow(work.db, resource, id)
  }
  await traceDeletion(engine, { resource, before, id, reason }, work)
}

async function traceDeletion(
  { catalog }: Engine,
  { resource, before, id, reason }: { resource: AnyResource; before: Row; id: string; reason: unknown },
  work: Work,
) {
  const after = await readWhole(work.db, catalog, { resource, id, caller: work.caller })
  await auditChange(work, { action: 'delete', resource, fields: tableFields(catalog, resource), before, after, reason })
  const gone = { ...before, version: Number(before.version) + 1 }
  announce(catalog, { resource, record: after ?? gone, type: after ? 'updated' : 'deleted' }, work)
}
