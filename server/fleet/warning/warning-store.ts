import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import type { ChangedWarning, Place } from './announce-warnings.ts'
import { WarningChanges } from './course/warning-changes.ts'
import { endSetters } from './course/warning-grade.ts'
import type { ChangeTime } from './course/warning-row.ts'
import { writeChanges } from './course/write-changes.ts'
import type { Finding, OpenWarning } from './evaluate.ts'
import { announceEnded } from './warning-webhooks.ts'

/** Evidence of a finding: packet, sample and maintenance. */
export type Evidence = { packageId: string | null; snapshot: Readonly<Record<string, unknown>> | null; suppressed: boolean }

/** Opens a warning, reopens one that ended within ten minutes, or changes the severity of an open one. */
export async function raiseWarning(
  db: Queryable,
  place: Place,
  finding: Finding,
  evidence: Evidence,
  time: ChangeTime,
): Promise<void> {
  const changes = new WarningChanges(place, time.at)
  await changes.load(db)
  await changes.raise(db, { finding, essId: place.essId, evidence }, time)
  await writeChanges(db, [changes], time.now)
}

/** Last observation of the condition of an open warning at a board, with a value that is worse than any before. */
export type Observed = Pick<OpenWarning, 'code' | 'subject'> & {
  controlPcbId: string
  at: Date
  value: number | null
  threshold: number | null
}

/** Records that the conditions of open warnings were observed. */
export async function recordObserved(db: Queryable, seen: readonly Observed[]): Promise<void> {
  if (seen.length === 0) return
  const list = (type: string, value: (one: Observed) => string | number | null) =>
    sql`${sql.val(seen.map(value))}::${sql.raw(type)}[]`
  // A warning that came back keeps the worse value that it had before.
  const isWorse = sql`("u"."value" is not null and coalesce(abs("u"."value" - "u"."threshold") > abs("w"."value" - "w"."threshold"), true))`
  await sql`update "telemetry_warning" "w" set "lastSeenAt" = greatest("w"."lastSeenAt", "u"."at"),
      "value" = case when ${isWorse} then "u"."value" else "w"."value" end,
      "threshold" = case when ${isWorse} then "u"."threshold" else "w"."threshold" end
    from unnest(${list('text', ({ controlPcbId }) => controlPcbId)}, ${list('text', ({ code }) => code)}, ${list('text', ({ subject }) => subject)},
      ${list('timestamptz', ({ at }) => at.toISOString())},
      ${list('float8', ({ value }) => value)}, ${list('float8', ({ threshold }) => threshold)}) as "u" ("board", "code", "subject", "at", "value", "threshold")
    where "w"."active" and "w"."controlPcbId" = "u"."board" and "w"."code" = "u"."code"
      and "w"."subject" is not distinct from "u"."subject"`.execute(db)
}

/** Updates the priority keys of the warnings' boards and systems. */
export const keepPlacesOf = (db: Queryable, warnings: readonly Place[]): Promise<void> =>
  keepPlaces(db, { boards: warnings.map((one) => one.controlPcbId), systems: warnings.map((one) => one.essId) })

/** Ends every open warning of a board, latched ones too: the board has left the place where they were raised. */
export async function endWarningsOf(db: Queryable, controlPcbId: string, now: Date): Promise<void> {
  const ended = await rowsOf(
    db,
    sql<ChangedWarning>`update "telemetry_warning" set "active" = false, "clearedAt" = ${now}, ${endSetters}, "version" = "version" + 1, "updatedAt" = ${now}
      where "active" and "controlPcbId" = ${controlPcbId} returning "id", "version", "controlPcbId", "essId"`,
  )
  await announceEnded(db, ended, now)
  await sql`delete from "warningMemory" where "controlPcbId" = ${controlPcbId}`.execute(db)
}
