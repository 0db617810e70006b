import { type RawBuilder, sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { knownZone } from '#server/fleet/telemetry/zones.ts'
import { boardZones, daysOfHours } from './board-zones.ts'

type Sql = RawBuilder<unknown>

/** A temporary shift beyond any day, so that moved rows do not collide. */
const aside = sql`interval '8760000 hours'`
const asideFrom = sql`timestamptz '2900-01-01Z'`
/** Longer than any day: the day in which a board came or went begins before that. */
const dayBefore = sql`interval '25 hours'`

type Moved = { boards: Sql; spans: Sql; from: string | null; to: string | null; now: Date }

/**
 * Rolls up the days of boards again in the spans "id", "since" and "until", from the day in which each begins. Days no longer covered
 * by 5-minute rows keep their values and dates.
 */
async function moveSpans(db: Queryable, { boards, spans, now, ...zones }: Moved): Promise<void> {
  const [from, to] = [await knownZone(db, zones.from), await knownZone(db, zones.to)]
  const covered = sql`((date_trunc('day', ${new Date(now.getTime() - keptMs.rows)}::timestamptz at time zone ${to}) + interval '1 day') at time zone ${to})`
  const own = (time: string) =>
    sql`"b"."id" = "r"."controlPcbId" and ${sql.ref(time)} >= "b"."since" and ${sql.ref(time)} < "b"."until"`
  const touched = (time: string) =>
    sql`"b"."id" = "r"."controlPcbId" and ${sql.ref(time)} > "b"."since" - ${dayBefore} and ${sql.ref(time)} < "b"."until" and ${sql.ref(time)} >= ${covered}`
  const b = sql`(${spans}) "b"`
  await rowsOf(db, sql`delete from "telemetry1d" "r" using ${b} where ${touched('r.ts')}`)
  await rowsOf(db, sql`delete from "telemetryOpenDay" "r" using ${b} where ${touched('r.day')}`)
  if (from !== to) {
    await rowsOf(db, sql`update "telemetry1d" "r" set "ts" = "r"."ts" + ${aside} from ${b} where ${own('r.ts')}`)
    await rowsOf(
      db,
      sql`update "telemetry1d" "r" set "ts" = date_trunc('day', ("r"."ts" - ${aside}) at time zone ${from}) at time zone ${to}
        from ${b} where "b"."id" = "r"."controlPcbId" and "r"."ts" >= ${asideFrom}`,
    )
  }
  const hours = (
    table: string,
    time: string,
  ) => sql`select "b"."id", ${sql.ref(`r.${time}`)} as "hour" from ${b} join ${sql.table(table)} "r"
    on "b"."id" = "r"."controlPcbId" and ${sql.ref(`r.${time}`)} > "b"."since" - ${dayBefore} and ${sql.ref(`r.${time}`)} < "b"."until"
      and ${sql.ref(`r.${time}`)} >= ${covered} - interval '1 hour'`
  await rowsOf(
    db,
    sql`insert into "telemetryOpenDay" ("controlPcbId", "day", "until")
      select * from (${daysOfHours(sql`${hours('telemetry1h', 'ts')} union ${hours('telemetryOpenHour', 'hour')}`, boardZones(boards))}) "d"
      where "d"."day" >= ${covered} order by 1, 2
      on conflict ("controlPcbId", "day") do update set "until" = excluded."until"`,
  )
}

export type Move = { essId: string; from: string | null; to: string | null; now: Date }

/** Moves the day rows of a system whose time zone was corrected. */
export async function moveDays(db: Queryable, { essId, from, to, now }: Move): Promise<void> {
  if (from === to) return
  const boards = sql`select distinct "controlPcbId"::uuid as "id" from "control_pcb_attachment" where "essId" = ${essId}`
  const spans = sql`select "z"."id", "z"."since", "z"."until" from (${boardZones(boards)}) "z" where "z"."essId" = ${essId}`
  await moveSpans(db, { boards, spans, from, to, now })
}

type Stay = { removedAt: string | null; zone: string | null; hasReported: boolean }

/** Ends the days of a board that was just attached or removed, and moves those since it stood nowhere to the zone of its new site. */
export async function endDays(db: Queryable, { controlPcbId, now }: { controlPcbId: string; now: Date }): Promise<void> {
  const [stay, before] = await rowsOf(
    db,
    sql<Stay>`select "a"."removedAt", "e"."location"->>'timezone' as "zone",
        exists (select 1 from "telemetryOpenHour" "r" where "r"."controlPcbId" = ${controlPcbId}::uuid)
          or exists (select 1 from "telemetry1h" "r" where "r"."controlPcbId" = ${controlPcbId}::uuid) as "hasReported"
      from "control_pcb_attachment" "a"
      left join "ess" "e" on "e"."id" = "a"."essId" where "a"."controlPcbId" = ${controlPcbId} order by "a"."attachedAt" desc, "a"."id" desc limit 2`,
  )
  // Most boards come without a past: many are attached by one import.
  if (!stay?.hasReported) return
  const since = stay.removedAt ?? before?.removedAt ?? '-infinity'
  const from = stay.removedAt ? stay.zone : (before?.zone ?? null)
  await moveSpans(db, {
    boards: sql`select ${controlPcbId}::uuid as "id"`,
    spans: sql`select ${controlPcbId}::uuid as "id", ${since}::timestamptz as "since", 'infinity'::timestamptz as "until"`,
    from,
    to: stay.zone,
    now,
  })
}
