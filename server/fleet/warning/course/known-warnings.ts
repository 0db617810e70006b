import { type RawBuilder, sql } from 'kysely'
import { mostEndedADay } from '#resources/fleet/warnings/day-bound.ts'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Place, placeKey } from '#server/fleet/warning/announce-warnings.ts'
import type { Finding } from '#server/fleet/warning/evaluate.ts'
import { startOfDay } from './ended-days.ts'
import { gradeColumns } from './warning-grade.ts'
import type { ChangeTime, WarningRow } from './warning-row.ts'

export const reopenWithinMs = 10 * minuteMs
const flapsFrom = 4

export const hasEndedLately = ({ clearedAt }: WarningRow, { at }: ChangeTime): boolean =>
  (clearedAt?.getTime() ?? 0) > at.getTime() - reopenWithinMs

/** Ended places of a code that may come back; more of them are not told apart. All of a full day are among them. */
const mostEnded = 4 * mostEndedADay

type Row = Omit<WarningRow, 'startedAt' | 'raisedAt' | 'lastSeenAt'> & Record<'startedAt' | 'raisedAt' | 'lastSeenAt', string>
const timeOf = (time: Date | string | null) => (time === null ? null : new Date(time))

const rowOf = (row: Row): WarningRow => ({
  ...row,
  startedAt: new Date(row.startedAt),
  raisedAt: new Date(row.raisedAt),
  lastSeenAt: new Date(row.lastSeenAt),
  worstAt: timeOf(row.worstAt),
  clearedAt: timeOf(row.clearedAt),
  snoozedUntil: timeOf(row.snoozedUntil),
  waitsSince: timeOf(row.waitsSince),
  updatedAt: new Date(row.updatedAt),
})

/** As `placeKey`. */
const placeOf = sql`coalesce("controlPcbId", "essId")`

/** Of boards, or of systems themselves: a system alone does not match its boards. */
function isAt(places: readonly Place[]): RawBuilder<unknown> {
  const boards = places.flatMap(({ controlPcbId }) => controlPcbId ?? [])
  const systems = places.flatMap(({ controlPcbId, essId }) => (controlPcbId === null && essId !== null ? essId : []))
  const ofBoards = sql`"controlPcbId" = any(${sql.val(boards)}::text[])`
  const ofSystems = sql`"controlPcbId" is null and "essId" = any(${sql.val(systems)}::text[])`
  return systems.length === 0 ? ofBoards : boards.length === 0 ? ofSystems : sql`(${ofBoards} or ${ofSystems})`
}

/** `code`: no other one changes; `isOpenOnly`: nothing is raised, so no ended one may come back. */
export type Bounds = { code?: string; isOpenOnly?: true }

/** `earliest`: the first time at which something may change. */
export type Asked = Bounds & { places: readonly Place[]; earliest: Date }

/**
 * The open warnings of boards or systems, and for each code and place the last one that may come back, locked until commit.
 */
export async function lockWarnings(db: Queryable, { places, earliest, code, isOpenOnly }: Asked): Promise<WarningRow[]> {
  const since = new Date(Math.min(earliest.getTime() - reopenWithinMs, startOfDay(earliest).getTime()))
  const isAsked = code === undefined ? isAt(places) : sql`"code" = ${code} and ${isAt(places)}`
  const ended = sql`select "id" from (select *, row_number() over (partition by "place", "code" order by "clearedAt" desc) as "rank" from (
        select distinct on (${placeOf}, "code", "subject") "id", ${placeOf} as "place", "code", "clearedAt" from "telemetry_warning"
          where ${isAsked} and not "active" and "clearedAt" > ${since} order by ${placeOf}, "code", "subject", "clearedAt" desc) "last") "ranked"
      where "rank" <= ${mostEnded}`
  const open = sql`select "id" from "telemetry_warning" where ${isAsked} and "active"`
  const rows = await rowsOf(
    db,
    sql<Row>`select "id", "version", "controlPcbId", "essId", "active", ${gradeColumns}, "subject", "trip", "latched", "acknowledged", "flapping",
        "suppressed", "occurrences", "startedAt", "raisedAt", "lastSeenAt", "worstAt", "clearedAt", "clearedBy", "snoozedUntil", "snoozedBy", "snoozeReason",
        "waitsSince", "updatedAt"
      from "telemetry_warning" where "id" in (${isOpenOnly ? open : sql`${ended} union all ${open}`})
      order by "id" for update`,
  )
  return rows.map(rowOf)
}

/** A code, with the place of a cell: the openings of each are counted by itself. */
export const openingKey = ({ code, source, subject }: Pick<Finding, 'code' | 'source' | 'subject'>): string =>
  source === 'SERVER' || subject === null ? code : `${code} ${subject}`

/** Times of openings by what opened. */
export type Openings = ReadonlyMap<string, readonly number[]>

/** The openings with one more; `flaps`: those of the hour before it make the warning flapping. */
export function withOpening(openings: Openings, key: string, at: Date): { openings: Openings; flaps: boolean } {
  const times = [...(openings.get(key) ?? []), at.getTime()].toSorted((a, b) => b - a)
  const flaps = times.filter((time) => time > at.getTime() - hourMs).length >= flapsFrom
  // Whatever the time of the next one, no more of them make a difference.
  return { openings: new Map(openings).set(key, times.slice(0, flapsFrom)), flaps }
}

type Opened = { place: string; code: string; times: string[] }

/** The last openings of boards or systems, by their keys: of each code and cell as many as make a warning flapping. */
export async function openingsOf(db: Queryable, { places, earliest, code }: Asked): Promise<ReadonlyMap<string, Openings>> {
  const ofCode = code === undefined ? sql`` : sql`and "code" = ${code}`
  const rows = await rowsOf(
    db,
    sql<Opened>`select "place", "code", json_agg("at") as "times" from (
        select "place", "code", "at", row_number() over (partition by "place", "code" order by "at" desc) as "rank" from "warningOpening"
          where "place" = any(${sql.val(places.map(placeKey))}::text[]) and "at" > ${new Date(earliest.getTime() - hourMs)} ${ofCode}) "o"
      where "rank" <= ${flapsFrom} group by "place", "code"`,
  )
  const known = new Map(places.map((place) => [placeKey(place), new Map<string, readonly number[]>()]))
  for (const { place, code: key, times } of rows)
    known.get(place)?.set(
      key,
      times.map((time) => Date.parse(time)),
    )
  return known
}

type Ended = { place: string; essId: string | null; code: string; day: string; count: number }

/** Numbers of ended warnings of boards or systems by code, system and day, from the first day on which something may change. */
export function endedOf(db: Queryable, { places, earliest, code }: Asked): Promise<Ended[]> {
  const ofCode = code === undefined ? sql`` : sql`and "code" = ${code}`
  return rowsOf(
    db,
    sql<Ended>`select ${placeOf} as "place", "essId", "code", to_char("clearedAt" at time zone 'UTC', 'YYYY-MM-DD') as "day", count(*)::int as "count"
      from "telemetry_warning" where ${isAt(places)} ${ofCode} and not "active" and "clearedAt" >= ${startOfDay(earliest)} group by 1, 2, 3, 4`,
  )
}
