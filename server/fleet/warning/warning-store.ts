import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import { addNotices, announceWarnings, type ChangedWarning, type Place, placeKey } from './announce-warnings.ts'
import { endSetters, type Graded, gradeColumns, gradeSetters, isRise, recordGrade } from './course/warning-grade.ts'
import type { Ending, Finding, OpenWarning } from './evaluate.ts'
import { wakeColumns } from './snooze.ts'
import { addWarningWebhooks, announceEnded } from './warning-webhooks.ts'

/** Evidence of a finding: packet, sample and maintenance. */
export type Evidence = { packageId: string | null; snapshot: Readonly<Record<string, unknown>> | null; suppressed: boolean }

/** Time of a change: `at` by the board's clock, never later than `now`. The server's own findings use now. */
export type ChangeTime = { at: Date; now: Date }

export const reopenWithinMs = 10 * minuteMs
export const flapsFrom = 4

type Known = {
  id: string
  version: number
  active: boolean
  subject: string | null
  acknowledged: boolean
  flapping: boolean
  suppressed: boolean
} & Graded

/** The maintenance that mutes a warning, if any. */
const mutedBy = ({ essId }: Place, { suppressed }: Evidence) =>
  suppressed ? sql`(select "maintenance" from "ess" where "id" = ${essId})` : sql`null::jsonb`

/**
 * The open warning of a finding, or one that ended recently and is reopened, at the same system: a board that has moved begins anew.
 * Findings of a board are distinguished by subject, if both have one; for the server a subject is only descriptive.
 */
const knownOf = (
  db: Queryable,
  { controlPcbId, essId }: Place,
  { code, source, subject }: Finding,
  at: Date,
): Promise<Known | undefined> =>
  rowOf(
    db,
    sql<Known>`select "id", "version", "active", ${gradeColumns}, "subject", "acknowledged", "flapping", "suppressed" from "telemetry_warning"
      where "controlPcbId" is not distinct from ${controlPcbId}::text and "essId" is not distinct from ${essId}::text and "code" = ${code}
        and (${source} = 'SERVER' or ${subject}::text is null or "subject" is null or "subject" = ${subject})
        and ("active" or "clearedAt" > ${new Date(at.getTime() - reopenWithinMs)})
      order by "active" desc, "subject" is not distinct from ${subject}::text desc, "clearedAt" desc limit 1 for update`,
  )

/** Counts an opening; returns true when the openings within the hour make the warning flapping. */
async function countOpening(db: Queryable, place: Place, { code, source, subject }: Finding, at: Date): Promise<boolean> {
  const key = source === 'SERVER' || subject === null ? placeKey(place) : `${placeKey(place)} ${subject}`
  await sql`insert into "warningOpening" ("place", "code", "at") values (${key}, ${code}, ${at})`.execute(db)
  const row = await rowOf(
    db,
    sql<{ count: number }>`select count(*) as "count" from "warningOpening" where "place" = ${key} and "code" = ${code}
      and "at" > ${new Date(at.getTime() - hourMs)}`,
  )
  return (row?.count ?? 0) >= flapsFrom
}

type Opening = { finding: Finding; evidence: Evidence; flapping: boolean; time: ChangeTime }

async function insertWarning(db: Queryable, place: Place, { finding, evidence, flapping, time }: Opening): Promise<string> {
  const { at, now } = time
  const id = uuidv7()
  const { code, severity, trip, latched, source, subject, value, threshold, unit, sinceMs } = finding
  await sql`insert into "telemetry_warning" ("id", "code", "severity", "trip", "latched", "source", "essId", "controlPcbId", "subject",
      "value", "threshold", "unit", "startedAt", "raisedAt", "lastSeenAt", "occurrences", "active", "acknowledged", "comments",
      "suppressed", "maintenance", "flapping", "packageId", "snapshot", "createdAt", "updatedAt")
    values (${id}, ${code}, ${severity}, ${trip}, ${latched}, ${source}, ${place.essId}, ${place.controlPcbId}, ${subject},
      ${value}, ${threshold}, ${unit || null}, ${new Date(sinceMs)}, ${now}, ${at}, 1, true, false, '[]',
      ${evidence.suppressed}, ${mutedBy(place, evidence)}, ${flapping}, ${evidence.packageId}, ${evidence.snapshot ? JSON.stringify(evidence.snapshot) : null}::jsonb, ${now}, ${now})`.execute(
    db,
  )
  await announceWarnings(db, [{ ...place, id, version: 1 }], 'created', now)
  await addWarningWebhooks(db, { type: 'warning.raised', ids: [id], now })
  return id
}

/** Changes the severity of an open warning: a rise is notified like a new warning. */
async function changeSeverity(
  db: Queryable,
  place: Place,
  known: Known,
  finding: Finding,
  { at, now }: ChangeTime,
): Promise<boolean> {
  const rises = isRise(known, finding)
  const { severity, latched, subject } = finding
  const woken = rises ? sql`${wakeColumns(now)},` : sql``
  const row = await rowOf(
    db,
    sql<{
      version: number
    }>`update "telemetry_warning" set ${woken} ${gradeSetters(known, finding, at)}, "latched" = ${latched},
        "subject" = coalesce(${subject}::text, "subject"), "lastSeenAt" = greatest("lastSeenAt", ${at}),
        "acknowledged" = "acknowledged" and not ${rises}::bool, "version" = "version" + 1, "updatedAt" = ${now}
      where "id" = ${known.id} returning "version"`,
  )
  await announceWarnings(db, [{ ...place, id: known.id, version: row?.version ?? known.version }], 'updated', now)
  await recordGrade(db, known, finding, now)
  if (severity !== known.severity)
    await addWarningWebhooks(db, { type: 'warning.severity-changed', ids: [known.id], now, former: known.severity })
  return rises
}

async function reopen(db: Queryable, place: Place, known: Known, { finding, evidence, flapping, time }: Opening) {
  const { at, now } = time
  const { latched, subject } = finding
  const row = await rowOf(
    db,
    sql<{
      version: number
    }>`update "telemetry_warning" set ${wakeColumns(now)}, "active" = true, "clearedAt" = null, "clearedBy" = null, "occurrences" = "occurrences" + 1,
        ${gradeSetters(known, finding, at)}, "latched" = ${latched}, "subject" = coalesce(${subject}::text, "subject"),
        "lastSeenAt" = ${at}, "flapping" = ${flapping}, "suppressed" = ${evidence.suppressed},
        "maintenance" = coalesce(${mutedBy(place, evidence)}, "maintenance"),
        "acknowledged" = "acknowledged" and not ${isRise(known, finding)}::bool, "version" = "version" + 1, "updatedAt" = ${now}
      where "id" = ${known.id} returning "version"`,
  )
  await announceWarnings(db, [{ ...place, id: known.id, version: row?.version ?? known.version }], 'updated', now)
  await recordGrade(db, known, finding, now)
  await addWarningWebhooks(db, { type: 'warning.raised', ids: [known.id], now })
}

/**
 * Opens a warning, reopens one that ended within ten minutes, or changes the severity of an open one. No notification during
 * maintenance or while flapping. Returns the place of the warning.
 */
export async function raiseWarning(
  db: Queryable,
  place: Place,
  finding: Finding,
  evidence: Evidence,
  time: ChangeTime,
): Promise<string | null> {
  const { at, now } = time
  const known = await knownOf(db, place, finding, at)
  const subject = finding.subject ?? known?.subject ?? null
  if (known?.active) {
    const rises = await changeSeverity(db, place, known, finding, time)
    if (rises && !known.suppressed && !known.flapping) await addNotices(db, [{ id: known.id, severity: finding.severity }], now)
    return subject
  }
  const flapping = await countOpening(db, place, finding, at)
  const opening: Opening = { finding, evidence, flapping, time }
  const id = known ? known.id : await insertWarning(db, place, opening)
  if (known) await reopen(db, place, known, opening)
  // Warnings that began and ended during maintenance were not notified.
  const isNews = !known?.flapping || known.suppressed
  if (!evidence.suppressed && isNews) await addNotices(db, [{ id, severity: finding.severity }], now)
  return subject
}

const isOneOf = (endings: readonly Ending[]) =>
  sql`(${sql.join(
    endings.map(({ code, subject }) =>
      subject === undefined
        ? sql`"code" = ${code}`
        : sql`("code" = ${code} and "subject" is not distinct from ${subject}::text)`,
    ),
    sql` or `,
  )})`

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

/** Ends open warnings at a location, except latched ones. `seenAt`: the last time at which their condition held. */
export async function clearWarnings(
  db: Queryable,
  place: Place,
  endings: readonly Ending[],
  { at, now, seenAt }: ChangeTime & { seenAt: Date | null },
): Promise<void> {
  if (endings.length === 0) return
  const ended = await rowsOf(
    db,
    sql<ChangedWarning>`update "telemetry_warning" set "active" = false, "clearedAt" = ${at}, "lastSeenAt" = greatest("lastSeenAt", ${seenAt}::timestamptz), ${endSetters}, "version" = "version" + 1, "updatedAt" = ${now}
      where "active" and not "latched" and "controlPcbId" is not distinct from ${place.controlPcbId}::text
        and (${place.controlPcbId}::text is not null or "essId" = ${place.essId}) and ${isOneOf(endings)}
      returning "id", "version", "controlPcbId", "essId"`,
  )
  await announceEnded(db, ended, now)
}
