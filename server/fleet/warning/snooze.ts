import { sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import { dayMs, hourMs } from '#schema/format/durations.ts'
import { isZone } from '#schema/format/known-zones.ts'
import { isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addServerAudits } from '#server/engine/audit/audit-entry.ts'
import type { ActionHandler, Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { requireAssignment, writeColumns } from '#server/fleet/shared/relations.ts'
import { addNotices, announceWarnings, type ChangedWarning } from './announce-warnings.ts'

const longestSnoozeMs = 30 * dayMs
const morning = 'T08:00'
const reason: ServerReason = 'snooze-ended'

/** Snoozed now, by the database's clock, so that a list is correct between two runs of the job. */
export const isSnoozed = sql`("t"."active" and coalesce("t"."snoozedUntil" > now(), false))`

/** Columns of a warning that is not snoozed and needs attention from now on. */
export const wakeColumns = (now: Date) =>
  sql`"snoozedUntil" = null, "snoozedBy" = null, "snoozeReason" = null, "waitsSince" = ${now}::timestamptz`

/** The caller's own zone, else the browser's, else UTC. */
async function zoneOf({ db, caller }: Work, sent: unknown): Promise<string> {
  const own = await rowOf(db, sql<{ timezone: string | null }>`select "timezone" from "user" where "id" = ${caller.userId}`)
  return [own?.timezone, sent].find((zone): zone is string => typeof zone === 'string' && isZone(zone)) ?? 'UTC'
}

/** Eight o'clock on the day after `now`, in local time. */
export function nextMorning(now: Date, zone: string): Date {
  const today = Date.parse(`${localFromIso(now.toISOString(), zone).slice(0, 10)}T00:00Z`)
  const day = new Date(today + dayMs).toISOString().slice(0, 10)
  return new Date(isoFromLocal(`${day}${morning}`, zone) ?? now.getTime() + dayMs)
}

type Sent = { until: unknown; zone: unknown }

const ends: Readonly<Record<string, (work: Work, sent: Sent) => Date | Promise<Date>>> = {
  HOUR: ({ now }) => new Date(now.getTime() + hourMs),
  FOUR_HOURS: ({ now }) => new Date(now.getTime() + 4 * hourMs),
  TOMORROW: async (work, { zone }) => nextMorning(work.now, await zoneOf(work, zone)),
  OWN: (_, { until }) => new Date(String(until)),
}

/** Snoozes a warning: it leaves the lists of open work and sends no notifications. */
export const snooze: ActionHandler = async ({ id, values, record, work }) => {
  await requireAssignment(work, record?.essId)
  const until = await ends[String(values.period ?? 'HOUR')]?.(work, { until: values.until, zone: values.zone })
  const aheadMs = (until?.getTime() ?? Number.NaN) - work.now.getTime()
  if (!until || !(aheadMs > 0 && aheadMs <= longestSnoozeMs)) throw fleetProblem('warning.snooze-time')
  await writeColumns(work, 'telemetry_warning', id, {
    snoozedUntil: until,
    snoozedBy: work.caller.userId,
    snoozeReason: values.reason ?? null,
  })
}

export const wake: ActionHandler = async ({ id, record, work }) => {
  await requireAssignment(work, record?.essId)
  await writeColumns(work, 'telemetry_warning', id, {
    snoozedUntil: null,
    snoozedBy: null,
    snoozeReason: null,
    waitsSince: work.now,
  })
}

type Woken = ChangedWarning & { code: string; severity: Severity; active: boolean; until: Date }

/** Snoozes per transaction: frames of their boards wait for it. */
const atOnce = 500

const endDue = (db: Queryable, now: Date) =>
  rowsOf(
    db,
    sql<Woken>`with "due" as (select "id", "snoozedUntil" from "telemetry_warning" where "snoozedUntil" <= ${now}
        order by "id" limit ${atOnce} for update)
      update "telemetry_warning" "w" set ${wakeColumns(now)}, "version" = "version" + 1, "updatedAt" = ${now}
      from "due" "d" where "w"."id" = "d"."id"
      returning "w"."id", "w"."version", "w"."controlPcbId", "w"."essId", "w"."code", "w"."severity", "w"."active", "d"."snoozedUntil" as "until"`,
  )

async function endSome(db: Queryable, now: Date): Promise<number> {
  const woken = await endDue(db, now)
  const facts = { at: now, action: 'end-snooze', entityType: 'telemetry-warning', after: { snoozedUntil: null }, reason }
  await addServerAudits(
    db,
    woken.map(({ id, code, until }) => ({
      ...facts,
      entityId: id,
      code,
      before: { snoozedUntil: new Date(until).toISOString() },
    })),
  )
  await announceWarnings(db, woken, 'updated', now)
  await addNotices(
    db,
    woken.filter(({ active }) => active),
    now,
  )
  return woken.length
}

/** Ends expired snoozes. A warning that still lasts is notified like a new one. */
export async function endSnoozes(database: Database, now: Date): Promise<void> {
  while ((await inTransaction(database, (db) => endSome(db, now))) === atOnce);
}
