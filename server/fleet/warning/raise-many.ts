import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import { hourMs } from '#schema/format/durations.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addNotices, announceWarnings, type ChangedWarning, type Place, placeKey } from './announce-warnings.ts'
import { flapsFrom, reopenWithinMs } from './course/known-warnings.ts'
import { endSetters } from './course/warning-grade.ts'
import type { Finding } from './evaluate.ts'
import { raiseWarning } from './warning-store.ts'
import { addWarningWebhooks, announceEnded } from './warning-webhooks.ts'

export type PlacedFinding = Place & { finding: Finding }

/** Maintenance is checked at the time of the write: it may have started since the rules were evaluated. */
export const isMaintained = (essId: RawBuilder<unknown>, now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from "ess" "e" where "e"."id" = ${essId} and ("e"."maintenance"->>'until')::timestamptz > ${now})`

/** Warnings of a code at any of the places; an ESS alone does not match its boards. */
const isAt = (code: WarningCode, places: readonly Place[]) => {
  const boards = places.map(({ controlPcbId }) => controlPcbId)
  const systems = places.map(({ controlPcbId, essId }) => (controlPcbId === null ? essId : null))
  return sql`"code" = ${code} and ("controlPcbId" = any(${sql.val(boards)}::text[])
    or "controlPcbId" is null and "essId" = any(${sql.val(systems)}::text[]))`
}

/** True for codes that maintenance mutes: all but the maintenance warning itself. */
const mutes = (code: WarningCode) => code !== 'MAINTENANCE_ON'

async function insertMany(db: Queryable, code: WarningCode, found: readonly PlacedFinding[], now: Date): Promise<void> {
  const keys = found.map(placeKey)
  await sql`insert into "warningOpening" ("place", "code", "at")
    select "place", ${code}, ${now} from unnest(${sql.val(keys)}::text[]) as "u" ("place")`.execute(db)
  const rows = found.map(({ finding: { sinceMs, unit, ...finding }, ...place }) => ({
    ...finding,
    ...place,
    place: placeKey(place),
    id: uuidv7(),
    unit: unit || null,
    startedAt: new Date(sinceMs),
  }))
  const muted = sql`(${mutes(code)}::bool and coalesce(("e"."maintenance"->>'until')::timestamptz > ${now}, false))`
  const openings = sql`select count(*) from "warningOpening" "o" where "o"."place" = "u"."place" and "o"."code" = ${code}
    and "o"."at" > ${new Date(now.getTime() - hourMs)}`
  const added = await rowsOf(
    db,
    sql<ChangedWarning & { severity: Severity; suppressed: boolean }>`insert into "telemetry_warning" ("id", "code", "severity",
        "trip", "latched", "source", "essId", "controlPcbId", "subject", "value", "threshold", "unit", "startedAt", "raisedAt", "lastSeenAt",
        "occurrences", "active", "acknowledged", "comments", "suppressed", "maintenance", "flapping", "createdAt", "updatedAt")
      select "u"."id", ${code}, "u"."severity", "u"."trip", "u"."latched", "u"."source", "u"."essId", "u"."controlPcbId", "u"."subject",
        "u"."value", "u"."threshold", "u"."unit", "u"."startedAt", ${now}::timestamptz, ${now}::timestamptz, 1, true, false, '[]'::jsonb,
        ${muted}, case when ${muted} then "e"."maintenance" end, (${openings}) >= ${flapsFrom}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as "u" ("id" text, "place" text, "severity" text, "trip" bool, "latched" bool,
        "source" text, "essId" text, "controlPcbId" text, "subject" text, "value" float8, "threshold" float8, "unit" text, "startedAt" timestamptz)
        left join "ess" "e" on "e"."id" = "u"."essId"
      on conflict do nothing returning "id", "version", "controlPcbId", "essId", "severity", "suppressed"`,
  )
  await announceWarnings(db, added, 'created', now)
  await addWarningWebhooks(db, { type: 'warning.raised', ids: added.map(({ id }) => id), now })
  const news = added.filter(({ suppressed }) => !suppressed)
  await addNotices(db, news, now)
}

/**
 * Opens a server-side warning at many places, as when a carrier outage silences a whole fleet. Recently open ones are handled
 * one by one.
 */
export async function raiseMany(db: Queryable, code: WarningCode, found: readonly PlacedFinding[], now: Date): Promise<void> {
  if (found.length === 0) return
  const since = new Date(now.getTime() - reopenWithinMs)
  const known = await rowsOf(
    db,
    sql<
      Place & { muted: boolean }
    >`select "controlPcbId", "essId", ${isMaintained(sql`"w"."essId"`, now)} as "muted" from "telemetry_warning" "w"
      where ${isAt(code, found)} and ("active" or "clearedAt" > ${since})`,
  )
  const mutedByKey = new Map(known.map((one) => [placeKey(one), one.muted]))
  await insertMany(
    db,
    code,
    found.filter((one) => !mutedByKey.has(placeKey(one))),
    now,
  )
  for (const { finding, ...place } of found) {
    const muted = mutedByKey.get(placeKey(place))
    if (muted === undefined) continue
    const evidence = { packageId: null, snapshot: null, suppressed: mutes(code) && muted }
    await raiseWarning(db, place, finding, evidence, { at: now, now })
  }
}

export async function clearMany(db: Queryable, code: WarningCode, places: readonly Place[], now: Date): Promise<void> {
  if (places.length === 0) return
  const ended = await rowsOf(
    db,
    sql<ChangedWarning>`update "telemetry_warning" set "active" = false, "clearedAt" = ${now}, "lastSeenAt" = ${now}, ${endSetters}, "version" = "version" + 1, "updatedAt" = ${now}
      where ${isAt(code, places)} and "active" and not "latched" returning "id", "version", "controlPcbId", "essId"`,
  )
  await announceEnded(db, ended, now)
}
