import { sql } from 'kysely'
import type { AnyResource } from '#schema/resource.ts'
import { Problem } from '#server/base/problems.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { kindsOf, saveChange, settleChange } from '#server/engine/records/update-record.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { recordsById } from '#server/filling/existing-records.ts'
import { followVersions, type JobRow, type Moved } from '#server/filling/job-store.ts'
import { parkValues, writeOrder } from '#server/filling/unique/freed-values.ts'
import { holdersOf, touches, uniqueChange, waitingFor } from '#server/filling/unique/value-holders.ts'
import { emptiedSecrets, namesOf, presentValues } from './former-values.ts'
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
    await sql`release savepoint "restore"`.execute(db)
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

/** Work that holds its entries and events back until `pass`. */
function heldWork(work: Work) {
  const held: (() => unknown)[] = []
  const own: Work = {
    ...work,
    audit: async (entry) => void held.push(() => work.audit(entry)),
    auditAll: async (entries) => void held.push(() => work.auditAll(entries)),
    changed: (change) => void held.push(() => work.changed(change)),
  }
  const pass = async () => {
    for (const call of held) await call()
  }
  return { own, pass }
}

/** Restores records that have one another's former values: each gives up its own first. */
async function exchange(engine: Engine, resource: AnyResource, all: readonly Restoring[], work: Work): Promise<Moved[]> {
  const freed = all.flatMap(({ row, change }) =>
    Object.keys(uniqueChange(resource, change)).map((field) => ({ id: row.entityId, field })),
  )
  await parkValues(resource, freed, work)
  const moved: Moved[] = []
  for (const one of all) moved.push(await restore(engine, resource, one, work))
  return moved
}

type Sorted = { units: Restoring[][]; taken: Restoring[] }

/**
 * Records in the order in which they free values for one another, those that exchange values together; and those whose former
 * value another record has and keeps, with all that wait for them.
 */
async function sorted(resource: AnyResource, all: readonly Restoring[], { db }: Work): Promise<Sorted> {
  const places = new Map(all.map(({ row }, place) => [row.entityId, place]))
  const wanted = all.map(({ row, change }) => ({ id: row.entityId, change: uniqueChange(resource, change) }))
  const blocked: number[] = []
  const needs: { row: number; by: number }[] = []
  for (const { id, by: holder, set } of await holdersOf(db, resource, wanted)) {
    const [row, by] = [places.get(id), places.get(holder)]
    if (row === undefined) continue
    if (by !== undefined && touches(wanted[by]?.change ?? {}, set)) needs.push({ row, by })
    else blocked.push(row)
  }
  const isTaken = waitingFor(blocked, needs)
  const at = (rows: readonly number[]) => rows.flatMap((place) => all[place] ?? [])
  const free = [...all.keys()].filter((place) => !isTaken.has(place))
  const among = needs.filter(({ row, by }) => !isTaken.has(row) && !isTaken.has(by))
  return { units: writeOrder(free, among).map(at), taken: at([...isTaken].toSorted((one, other) => one - other)) }
}

/** Restores what nobody else holds; a database that refuses a unit all the same takes back that unit only. */
async function restoreAll(
  engine: Engine,
  resource: AnyResource,
  all: readonly Restoring[],
  work: Work,
): Promise<{ moved: Moved[]; taken: readonly Restoring[] }> {
  const moved: Moved[] = []
  const { units, taken } = await sorted(resource, all, work)
  for (const unit of units) {
    const { own, pass } = heldWork(work)
    const task = async () => {
      const isExchange = unit.length > 1
      if (isExchange) moved.push(...(await exchange(engine, resource, unit, own)))
      else for (const one of unit) moved.push(await restore(engine, resource, one, own))
    }
    if (await tried(work, task)) await pass()
    else taken.push(...unit)
  }
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
    const secrets = emptiedSecrets(fields, change)
    if (secrets.length > 0) partly.push({ row, reason: 'secret', fields: namesOf(fields, secrets, work.language) })
    if (Object.keys(change).length > 0) sound.push({ row, record, change })
  }
  const { moved, taken } = await restoreAll(engine, resource, sound, work)
  await followVersions(work.db, moved)
  const waiting = new Set(taken.map(({ row }) => row))
  kept.push(...partly.filter(({ row }) => !waiting.has(row)))
  return { restored: moved.length, kept: [...kept, ...taken.map(({ row }) => ({ row, reason: 'taken' as const }))] }
}
