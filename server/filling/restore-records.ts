import { sql } from 'kysely'
import type { AnyResource } from '#schema/resource.ts'
import { Problem } from '#server/base/problems.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { kindsOf, saveChange, settleChange } from '#server/engine/records/update-record.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { recordsById } from './existing-records.ts'
import type { JobRow } from './job-store.ts'

export type KeptReason = 'changed' | 'in-use' | 'used' | 'taken' | 'gone'
/** A record that an undo left unchanged. */
export type Kept = { row: JobRow; reason: KeptReason }

/** Runs a task in a savepoint: a refusal rolls back only the task. Returns true on success. */
async function tried({ db }: Work, task: () => Promise<void>): Promise<boolean> {
  await sql`savepoint "restore"`.execute(db)
  try {
    await task()
    await sql`release savepoint "restore"`.execute(db)
    return true
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    await sql`rollback to savepoint "restore"`.execute(db)
    return false
  }
}

/** Former values are not validated: the record already had them, and only uniqueness depends on other records. */
async function restore(engine: Engine, resource: AnyResource, { record, change }: { record: Row; change: Row }, work: Work) {
  const saved = await saveChange(engine, { resource, record, change, action: 'update' }, work)
  await settleChange(engine, { resource, kinds: kindsOf(engine.catalog, resource, record), saved, record }, work)
}

/** Restores the former values of records that an import changed and nobody has changed since. */
export async function restoreRecords(
  engine: Engine,
  target: string,
  rows: readonly JobRow[],
  work: Work,
): Promise<{ restored: number; kept: Kept[] }> {
  const resource = engine.catalog.definitions.get(target)
  const changed = rows.filter(({ before }) => before !== null)
  const kept: Kept[] = []
  let restored = 0
  if (!resource || changed.length === 0) return { restored, kept }
  const records = await recordsById(
    { engine, work },
    resource,
    changed.map(({ entityId }) => entityId),
  )
  for (const row of changed) {
    const record = records.get(row.entityId)
    const reason = !record ? 'gone' : record.version === row.version ? undefined : 'changed'
    if (!record || reason) kept.push({ row, reason: reason ?? 'gone' })
    else if (await tried(work, () => restore(engine, resource, { record, change: row.before ?? {} }, work))) restored += 1
    else kept.push({ row, reason: 'taken' })
  }
  return { restored, kept }
}
