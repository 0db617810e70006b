import { sql } from 'kysely'
import type { AnyResource } from '#schema/resource.ts'
import { Problem } from '#server/base/problems.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { kindsOf, saveChange, settleChange } from '#server/engine/records/update-record.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { recordsById } from './existing-records.ts'
import { followVersions, type JobRow, type Moved } from './job-store.ts'

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
async function restore(engine: Engine, resource: AnyResource, { row, record }: { row: JobRow; record: Row }, work: Work) {
  const change = row.before ?? {}
  const saved = await saveChange(engine, { resource, record, change, action: 'update' }, work)
  const kinds = kindsOf(engine.catalog, resource, record)
  const after = await settleChange(engine, { resource, kinds, saved, record }, work)
  return { entityId: row.entityId, from: row.version - 1, to: Number(after.version) }
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
  const moved: Moved[] = []
  if (!resource || changed.length === 0) return { restored: 0, kept }
  const records = await recordsById(
    { engine, work },
    resource,
    changed.map(({ entityId }) => entityId),
  )
  for (const row of changed) {
    const record = records.get(row.entityId)
    const reason = !record ? 'gone' : record.version === row.version ? undefined : 'changed'
    if (!record || reason) kept.push({ row, reason: reason ?? 'gone' })
    else if (await tried(work, async () => void moved.push(await restore(engine, resource, { row, record }, work)))) continue
    else kept.push({ row, reason: 'taken' })
  }
  await followVersions(work.db, moved)
  return { restored: moved.length, kept }
}
