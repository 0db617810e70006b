import { type RawBuilder, sql } from 'kysely'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import type { Place } from './announce-warnings.ts'
import { WarningChanges } from './course/warning-changes.ts'
import { writeChanges } from './course/write-changes.ts'
import type { Finding } from './evaluate.ts'

export type PlacedFinding = Place & { finding: Finding }

export const isMaintained = (essId: RawBuilder<unknown>, now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from "ess" "e" where "e"."id" = ${essId} and ("e"."maintenance"->>'until')::timestamptz > ${now})`

/** Maintenance is checked at the time of the write: it may have started since the rules were evaluated. */
async function maintainedOf(db: Queryable, places: readonly Place[], now: Date): Promise<ReadonlySet<string | null>> {
  const ids = places.flatMap(({ essId }) => essId ?? [])
  const rows = await rowsOf(
    db,
    sql<{
      id: string
    }>`select "u"."id" from unnest(${sql.val(ids)}::text[]) as "u" ("id") where ${isMaintained(sql`"u"."id"`, now)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** True for codes that maintenance mutes: all but the maintenance warning itself. */
const mutes = (code: WarningCode) => code !== 'MAINTENANCE_ON'

/** Opens a warning of the server at many places, or changes it: a carrier outage silences a whole fleet. */
export async function raiseMany(db: Queryable, code: WarningCode, found: readonly PlacedFinding[], now: Date): Promise<void> {
  if (found.length === 0) return
  const maintained = await maintainedOf(db, found, now)
  const all = found.map((one) => ({ ...one, changes: new WarningChanges(one, now) }))
  const changes = all.map((one) => one.changes)
  await WarningChanges.load(db, changes, { code })
  await WarningChanges.loadPast(db, changes, { code })
  for (const { finding, essId, changes: own } of all) {
    const evidence = { packageId: null, snapshot: null, suppressed: mutes(code) && maintained.has(essId) }
    own.raise({ finding, essId, evidence }, { at: now, now })
  }
  await writeChanges(db, changes, now)
}

/** Ends the warnings of a code at many places, except latched ones. */
export async function endMany(db: Queryable, code: WarningCode, places: readonly Place[], now: Date): Promise<void> {
  const changes = places.map((place) => new WarningChanges(place, now))
  await WarningChanges.load(db, changes, { code, isOpenOnly: true })
  for (const one of changes) one.end([{ code }], { at: now, now }, now)
  await writeChanges(db, changes, now)
}

/** Updates the priority keys of the warnings' boards and systems. */
export const keepPlacesOf = (db: Queryable, warnings: readonly Place[]): Promise<void> =>
  keepPlaces(db, { boards: warnings.map((one) => one.controlPcbId), systems: warnings.map((one) => one.essId) })

/** Ends every open warning of a board, latched ones too: the board has left the place where they were raised. */
export async function endWarningsOf(db: Queryable, controlPcbId: string, now: Date): Promise<void> {
  const changes = new WarningChanges({ controlPcbId, essId: null }, now)
  await WarningChanges.load(db, [changes], { isOpenOnly: true })
  changes.endAll({ at: now, now })
  await writeChanges(db, [changes], now)
  await sql`delete from "warningMemory" where "controlPcbId" = ${controlPcbId}`.execute(db)
}
