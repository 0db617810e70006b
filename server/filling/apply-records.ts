import { uuidv7 } from 'uuidv7'
import { titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { insertRows } from '#server/db/insert-rows.ts'
import { announceChange } from '#server/engine/records/answer-record.ts'
import { auditChange } from '#server/engine/records/audit-change.ts'
import { familyOf, rulesOf } from '#server/engine/records/catalog.ts'
import { asProblem } from '#server/engine/records/database-problems.ts'
import { realChange } from '#server/engine/records/form-values.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { kindsOf, saveChange, settleChange } from '#server/engine/records/update-record.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { refuseWrittenOutside } from './access/row-scope.ts'
import { bulkWork } from './bulk-work.ts'
import type { Outcome, Planning, Written } from './outcome.ts'
import { type Freed, parkValues } from './unique/freed-values.ts'

async function createAll(planning: Planning, resource: AnyResource, made: readonly Row[]): Promise<void> {
  const { engine, work } = planning
  const { catalog } = engine
  const family = familyOf(catalog, resource)
  const [first = resource] = family
  try {
    await insertRows(work.db, tableOf(resource), made)
  } catch (error) {
    throw asProblem(error, family)
  }
  await refuseWrittenOutside(planning, resource, made)
  const fields = tableFields(catalog, resource)
  for (const record of made) {
    for (const { afterCreate } of rulesOf(catalog, kindsOf(catalog, resource, record))) await afterCreate?.(record, work)
    await auditChange(work, { action: 'create', resource: first, fields, after: record })
    announceChange(catalog, { resource, record, type: 'created' }, work)
  }
}

const written = (resource: AnyResource, record: Row): Omit<Written, 'isNew'> => ({
  id: String(record.id),
  code: String(record[titleOf(resource)] ?? record.id),
  version: Number(record.version),
})

async function updateAll({ engine, work }: Planning, resource: AnyResource, outcomes: readonly Outcome[]): Promise<Written[]> {
  const fields = tableFields(engine.catalog, resource)
  const updated: Written[] = []
  for (const outcome of outcomes) {
    if (outcome.kind !== 'update') continue
    const { record, change } = outcome
    const kinds = kindsOf(engine.catalog, resource, record)
    const saved = await saveChange(engine, { resource, record, change, action: 'update' }, work)
    const after = await settleChange(engine, { resource, kinds, saved, record }, work)
    const names = Object.keys(realChange(fields, change, record))
    if (names.length === 0) continue
    const before = Object.fromEntries(names.map((name) => [name, record[name] ?? null]))
    updated.push({ ...written(resource, after), isNew: false, before })
  }
  return updated
}

/** Writes the planned rows: inserts in large batches, each row with its rules, audit entry and event. */
export async function applyRecords(
  planning: Planning,
  resource: AnyResource,
  { outcomes, freed }: { outcomes: readonly Outcome[]; freed: readonly Freed[] },
): Promise<Written[]> {
  const bulk = bulkWork(planning.work, planning.announced)
  const own = { ...planning, work: bulk.work }
  const { now, caller } = planning.work
  const at = now.toISOString()
  const stamps = { version: 1, createdAt: at, createdBy: caller.userId, updatedAt: at, updatedBy: caller.userId }
  const made = outcomes.flatMap((outcome): Row[] =>
    outcome.kind === 'create' ? [{ ...outcome.values, id: outcome.id ?? uuidv7(), ...stamps }] : [],
  )
  await parkValues(resource, freed, own.work)
  if (made.length > 0) await createAll(own, resource, made)
  const updated = await updateAll(own, resource, outcomes)
  await bulk.flush()
  return [...made.map((record) => ({ ...written(resource, record), isNew: true })), ...updated]
}
