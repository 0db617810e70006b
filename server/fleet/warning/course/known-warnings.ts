import { type RawBuilder, sql } from 'kysely'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Place } from '#server/fleet/warning/announce-warnings.ts'
import { gradeColumns } from './warning-grade.ts'
import type { WarningRow } from './warning-row.ts'

export const reopenWithinMs = 10 * minuteMs
export const flapsFrom = 4

/** Ended places of a code that may come back; more of them are not told apart. */
const mostEnded = 64

type Row = Omit<WarningRow, 'startedAt' | 'lastSeenAt'> & Record<'startedAt' | 'lastSeenAt', string>
const timeOf = (time: Date | string | null) => (time === null ? null : new Date(time))

const rowOf = (row: Row): WarningRow => ({
  ...row,
  startedAt: new Date(row.startedAt),
  lastSeenAt: new Date(row.lastSeenAt),
  worstAt: timeOf(row.worstAt),
  clearedAt: timeOf(row.clearedAt),
  snoozedUntil: timeOf(row.snoozedUntil),
  waitsSince: timeOf(row.waitsSince),
  updatedAt: new Date(row.updatedAt),
})

const isAt = ({ controlPcbId, essId }: Place): RawBuilder<unknown> =>
  controlPcbId === null ? sql`"controlPcbId" is null and "essId" = ${essId}` : sql`"controlPcbId" = ${controlPcbId}`

/** The open warnings of a board or system, and for each code and place the last one that has ended since, locked until commit. */
export async function lockWarnings(db: Queryable, place: Place, since: Date): Promise<WarningRow[]> {
  const rows = await rowsOf(
    db,
    sql<Row>`select "id", "version", "controlPcbId", "essId", "active", ${gradeColumns}, "subject", "trip", "latched", "acknowledged", "flapping",
        "suppressed", "occurrences", "startedAt", "lastSeenAt", "worstAt", "clearedAt", "clearedBy", "snoozedUntil", "snoozedBy", "snoozeReason",
        "waitsSince", "updatedAt"
      from "telemetry_warning" where "id" in (
        select "id" from (select *, row_number() over (partition by "code" order by "clearedAt" desc) as "rank" from (
            select distinct on ("code", "subject") "id", "code", "clearedAt" from "telemetry_warning"
              where ${isAt(place)} and not "active" and "clearedAt" > ${since} order by "code", "subject", "clearedAt" desc) "last") "ranked"
          where "rank" <= ${mostEnded}
        union all select "id" from "telemetry_warning" where ${isAt(place)} and "active")
      order by "id" for update`,
  )
  return rows.map(rowOf)
}

/** The last openings of a place since then, by code: as many as make a warning flapping. */
export async function openingsOf(db: Queryable, key: string, since: Date): Promise<ReadonlyMap<string, number[]>> {
  const rows = await rowsOf(
    db,
    sql<{ code: string; times: string[] }>`select "code", json_agg("at") as "times" from (
        select "code", "at", row_number() over (partition by "code" order by "at" desc) as "rank" from "warningOpening"
          where "place" = ${key} and "at" > ${new Date(since.getTime() - hourMs)}) "o"
      where "rank" <= ${flapsFrom} group by "code"`,
  )
  return new Map(rows.map(({ code, times }) => [code, times.map((time) => Date.parse(time))]))
}
