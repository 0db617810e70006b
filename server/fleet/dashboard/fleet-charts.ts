import { type RawBuilder, sql } from 'kysely'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'

const days = 30
const ms = (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time}) * 1000)::float8`
const hourOf = (now: Date) => sql`date_bin('1 hour', ${now}::timestamptz, '2000-01-01Z')`

const list = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg("x"), '[]') from (${rows}) "x")`

/** A series of hours ending with the current one. */
const hours = (now: Date, first: number, last: number) =>
  sql`select ${hourOf(now)} - "h" * interval '1 hour' as "hour" from generate_series(${first}::int, ${last}::int, -1) as "h"`

const mains = sql`"control_pcb" "b" where "b"."role" = 'MAIN' and "b"."essId" is not null`

/** Warnings by the day they were raised, in the viewer's zone. */
const warnings = (now: Date, zone: string) => sql`
  select to_char("d"."day", 'YYYY-MM-DD') as "day", ${isoTime(sql`"d"."from"`)} as "from",
    ${isoTime(sql`"d"."to" - interval '1 ms'`)} as "to",
    count("w"."id") filter (where "w"."severity" = 'INFO') as "INFO", count("w"."id") filter (where "w"."severity" = 'WARNING') as "WARNING",
    count("w"."id") filter (where "w"."severity" = 'CRITICAL') as "CRITICAL"
  from (select "day", "day" at time zone ${zone}::text as "from", ("day" + interval '1 day') at time zone ${zone}::text as "to"
    from generate_series(date_trunc('day', ${now}::timestamptz at time zone ${zone}::text) - ${days - 1}::int * interval '1 day',
      date_trunc('day', ${now}::timestamptz at time zone ${zone}::text), interval '1 day') as "day") "d"
  left join "telemetry_warning" "w" on "w"."raisedAt" >= "d"."from" and "w"."raisedAt" < "d"."to"
  group by 1, "d"."from", "d"."to" order by 1`

/** Packets by hour of a day; duplicates count as valid. */
const packages = (now: Date) => sql`
  select ${ms(sql`"h"."hour"`)} as "at", coalesce(sum("p"."valid" + "p"."duplicate"), 0) as "valid",
    coalesce(sum("p"."partial"), 0) as "partial", coalesce(sum("p"."invalid"), 0) as "invalid"
  from (${hours(now, 23, 0)}) "h" left join "packageHour" "p" on "p"."hour" = "h"."hour" group by 1 order by 1`

/** Main boards, one a system: those attached at the end of the hour, so that a replaced board counts once. */
const wereMains = (end: RawBuilder<unknown>) =>
  sql`"a"."role" = 'MAIN' and "a"."attachedAt" < ${end} and ("a"."removedAt" is null or "a"."removedAt" >= ${end})`

type HeardHour = { hour: string; heard: number }
/** Systems with valid data by hour, for the hours before `until`. */
export type HeardHours = { until: string; hours: readonly HeardHour[] }

const heardFrom = (from: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`
  select "p"."hour", count(*) as "heard" from "packageHour" "p"
    join "control_pcb_attachment" "a" on "a"."controlPcbId" = "p"."controlPcbId" and ${wereMains(sql`"p"."hour" + interval '1 hour'`)}
    where "p"."hour" >= ${from} and "p"."hour" < ${until} and "p"."valid" + "p"."partial" > 0 group by 1`

const reportingHours = 168
/** Hours that are counted at each read: later data still changes them. */
const recentHours = 24

/** The hours of the chart that late data hardly changes. They are nearly all of its rows, so a large fleet keeps them for longer. */
export async function heardHours(db: Queryable, now: Date): Promise<HeardHours> {
  const until = sql`${hourOf(now)} - ${recentHours}::int * interval '1 hour'`
  const from = sql`${hourOf(now)} - ${reportingHours}::int * interval '1 hour'`
  const found = await rowOf(
    db,
    sql<HeardHours>`select ${isoTime(until)} as "until", ${list(sql`select ${isoTime(sql`"k"."hour"`)} as "hour", "k"."heard" from (${heardFrom(from, until)}) "k"`)} as "hours"`,
  )
  if (!found) throw new Error('a statement without a table answers one row')
  return found
}

/**
 * Systems by hour: those with a main board, and those of them with valid data. The former are a running sum of attachments and
 * removals. The current hour is omitted: boards with a long interval have not reported in it yet.
 */
const reporting = (now: Date, { until, hours: known }: HeardHours) => sql`
  with "h" as (${hours(now, reportingHours, 1)}),
    "change" as (select greatest(date_bin('1 hour', "c"."at", '2000-01-01Z'), (select min("hour") from "h")) as "hour", sum("c"."by") as "by"
      from "control_pcb_attachment" "a" cross join lateral (values ("a"."attachedAt", 1), ("a"."removedAt", -1)) as "c" ("at", "by")
      where "a"."role" = 'MAIN' and "c"."at" is not null group by 1),
    "heard" as (select "hour", "heard" from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as "k" ("hour" timestamptz, "heard" int8)
      union all ${heardFrom(sql`${until}::timestamptz`, sql`${hourOf(now)}`)})
  select ${ms(sql`"h"."hour"`)} as "at", coalesce("p"."heard", 0) as "heard",
    coalesce(sum("c"."by") over (order by "h"."hour"), 0)::int8 as "of"
  from "h" left join "change" "c" on "c"."hour" = "h"."hour" left join "heard" "p" on "p"."hour" = "h"."hour" order by 1`

/** From hourly rows, never from samples. Hours that are not rolled up yet are absent. */
const power = (now: Date) => {
  const sums = telemetryStore.relations.hourlySums({
    boards: sql`select "b"."id"::uuid from ${mains}`,
    means: ['pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'],
    from: sql`${hourOf(now)} - interval '24 hours'`,
  })
  return sql`select ${ms(sql`"s"."hour"`)} as "at", "s"."boards" as "systems", "s"."pvPowerW", "s"."loadPowerW", "s"."batteryPowerW",
    "s"."gridPowerW" from (${sums}) "s" order by 1`
}

/** The fleet's history, in one statement over hourly counts and rolled-up rows. */
export async function fleetCharts(db: Queryable, now: Date, zone: string, heard: HeardHours): Promise<SummaryCharts> {
  const found = await rowOf(
    db,
    sql<SummaryCharts>`select ${list(warnings(now, zone))} as "warnings", ${list(packages(now))} as "packages",
      ${list(reporting(now, heard))} as "reporting", ${list(power(now))} as "power"`,
  )
  return found ?? { warnings: [], packages: [], reporting: [], power: [] }
}
