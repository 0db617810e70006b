import { sql } from 'kysely'
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
import { demandSight, usedAs } from './row-access.ts'
import { kindsOf, lockedRow, type RowCall, refuseStale } from './update-record.ts'
import { type Engine, ruleContext } from './work.ts'
import { deleteRow, tableFields } from './writer.ts'

/** A column that points to records: `one` holds an id, `many` a list of ids. */
export type Pointing = { table: string; column: string; holds: 'one' | 'many' }

/** Columns that reference a resource. */
export function pointersTo(catalog: Catalog, resource: AnyResource): Pointing[] {
  const names = new Set(familyOf(catalog, resource).map(({ name }) => name))
  const pointers = [...catalog.definitions.values()].flatMap((other) =>
    Object.entries(other.fields).flatMap(([column, field]): Pointing[] => {
      if (!pointsElsewhere(field) || !isStored(field) || !names.has(field.to)) return []
      return [{ table: tableOf(other), column, holds: field.type === 'references' ? 'many' : 'one' }]
    }),
  )
  return pointers.filter(
    ({ table, column }, index) => pointers.findIndex((one) => one.table === table && one.column === column) === index,
  )
}

const names = ({ column, holds }: Pointing, id: string) =>
  holds === 'one' ? sql`${sql.id(column)} = ${id}` : sql`${sql.id(column)} ? ${id}`

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
  const sight = demandSight(catalog, { resources, verb: 'delete', record: before, context: ruleContext(work.caller, work.now) })
  refuseStale(catalog, { record: before, used: usedAs(sight), version }, work)
  const rules = rulesOf(catalog, kindsOf(catalog, resource, before))
  const answers: ('delete' | 'done')[] = []
  for (const { beforeDelete } of rules) if (beforeDelete) answers.push(await beforeDelete(before, work))
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
