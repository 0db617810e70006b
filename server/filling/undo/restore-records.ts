import { sql } from 'kysely'
import type { AnyResource } from '#schema/resource.ts'
import { Problem } from '#server/base/problems.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { kindsOf, saveChange, settleChange } from '#server/engine/records/update-record.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { recordsById } from '#server/filling/existing-records.ts'
import { followVersions, type JobRow, type Moved } from '#server/filling/job-store.ts'
import { parkValues } from '#server/filling/unique/freed-values.ts'
import { namesOf, presentValues } from './former-values.ts'
import type { Kept } from './kept.ts'

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

type Restoring = { row: JobRow; record: Row; change: Row }

/**
 * Former values are not validated: the record already had them, and only uniqueness depends on other records, as `change` has
 * what the fields of today take.
 */
async function restore(engine: Engine, resource: AnyResource, { row, record, change }: Restoring, work: Work): Promise<Moved> {
  const saved = await saveChange(engine, { resource, record, change, action: 'update' }, work)
  const kinds = kindsOf(engine.catalog, resource, record)
  const after = await settleChange(engine, { resource, kinds, saved, record }, work)
  return { entityId: row.entityId, from: row.version - 1, to: Number(after.version) }
}

/** Work whose entries and events are passed on at the end, or never. */
function heldWork(work: Work) {
  const told: (() => unknown)[] = []
  const own: Work = {
    ...work,
    audit: async (entry) => void told.push(() => work.audit(entry)),
    auditAll: async (entries) => void told.push(() => work.auditAll(entries)),
    changed: (change) => void told.push(() => work.changed(change)),
  }
  const pass = async () => {
    for (const tell of told) await tell()
  }
  return { own, pass }
}

/** Restores records that have one another's former values: each gives up its own first. */
async function exchange(engine: Engine, resource: AnyResource, all: readonly Restoring[], work: Work): Promise<Moved[]> {
  const unique = new Set([
    ...Object.entries(resource.fields).flatMap(([name, field]) => (field.unique ? [name] : [])),
    ...(resource.unique ?? []).flat(),
  ])
  const freed = all.flatMap(({ row, change }) =>
    Object.keys(change).flatMap((field) => (unique.has(field) ? [{ id: row.entityId, field }] : [])),
  )
  await parkValues(resource, freed, work)
  const moved: Moved[] = []
  for (const one of all) moved.push(await restore(engine, resource, one, work))
  return moved
}

/** Restores one after the other, and again while a value that one of them waited for has been given up. */
async function restoreAll(
  engine: Engine,
  resource: AnyResource,
  all: readonly Restoring[],
  work: Work,
): Promise<{ moved: Moved[]; taken: readonly Restoring[] }> {
  const moved: Moved[] = []
  const together = async (some: readonly Restoring[], task: (own: Work) => Promise<readonly Moved[]>) => {
    const { own, pass } = heldWork(work)
    const isDone = await tried(work, async () => void moved.push(...(await task(own))))
    if (isDone) await pass()
    return isDone ? [] : some
  }
  let waiting = all
  for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length
    const left: Restoring[] = []
    for (const one of waiting) left.push(...(await together([one], async (own) => [await restore(engine, resource, one, own)])))
    waiting = left
  }
  const taken = waiting.length > 1 ? await together(waiting, (own) => exchange(engine, resource, waiting, own)) : waiting
  return { moved, taken }
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
  if (!resource || changed.length === 0) return { restored: 0, kept: [] }
  const records = await recordsById(
    { engine, work },
    resource,
    changed.map(({ entityId }) => entityId),
  )
  const kept: Kept[] = []
  const sound: Restoring[] = []
  const partly: Kept[] = []
  const fields = tableFields(engine.catalog, resource)
  for (const row of changed) {
    const record = records.get(row.entityId)
    if (record?.version !== row.version) {
      kept.push({ row, reason: record ? 'changed' : 'gone' })
      continue
    }
    const { change, left } = presentValues(fields, row.before ?? {})
    if (left.length > 0) partly.push({ row, reason: 'redefined', fields: namesOf(fields, left, work.language) })
    if (Object.keys(change).length > 0) sound.push({ row, record, change })
  }
  const { moved, taken } = await restoreAll(engine, resource, sound, work)
  await followVersions(work.db, moved)
  const waiting = new Set(taken.map(({ row }) => row))
  kept.push(...partly.filter(({ row }) => !waiting.has(row)))
  return { restored: moved.length, kept: [...kept, ...taken.map(({ row }) => ({ row, reason: 'taken' as const }))] }
}
