import type { ImportReport } from '#schema/wire/import-report.ts'
import type { Queryable } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { idsWithoutKey, lockUsableBoards, makeDeviceKeys } from '#server/fleet/board/device-key.ts'
import { type Announced, bulkWork } from './bulk-work.ts'
import type { Outcome } from './outcome.ts'

type Keys = NonNullable<ImportReport['keys']>

/** Boards of the file that existed before the import. */
export const presentIds = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap((outcome) => {
    if (outcome.kind === 'skip') return [outcome.id]
    return outcome.kind === 'update' ? [String(outcome.record.id)] : []
  })

/** Number of keys that an import makes: for new boards, and for existing ones without a key. */
export async function keysToMake(db: Queryable, outcomes: readonly Outcome[]): Promise<number> {
  const made = outcomes.filter((outcome) => outcome.kind === 'create' && outcome.values.lifecycle !== 'RETIRED')
  return made.length + (await idsWithoutKey(db, presentIds(outcomes))).size
}

/**
 * Makes keys for boards without one, in the transaction whose answer hands them out: a key made together with its board would
 * be lost if the import is cut off. The audit log records that keys were made, never their values.
 */
export async function makeImportKeys(ids: readonly string[], work: Work, announced: Announced): Promise<Keys> {
  const { db, now, caller } = work
  const boards = await lockUsableBoards(db, [...(await idsWithoutKey(db, ids))])
  // Another call may have made some while this one waited for the boards.
  const bare = await idsWithoutKey(
    db,
    boards.map(({ id }) => id),
  )
  const keys = await makeDeviceKeys(db, [...bare], { now, by: caller.userId })
  const bulk = bulkWork(work, announced)
  const handed: Keys = []
  for (const { id, code, uid, version } of boards) {
    const deviceKey = keys.get(id)
    if (deviceKey === undefined) continue
    handed.push({ code, uid, deviceKey })
    await bulk.work.audit({ action: 'device-key', entityType: 'control-pcb', entityId: id, code })
    bulk.work.changed({ resource: 'control-pcb', id, version, type: 'updated' })
  }
  await bulk.flush()
  return handed
}
