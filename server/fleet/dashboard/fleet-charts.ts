import { type RawBuilder, sql } from 'kysely'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { type ClosedHours, heardIn, hourOf, hourSpans, packagesIn, powerIn, rowsAsJson } from './hourly-counts.ts'

const days = 30
const ms = (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time}) * 1000)::float8`

/** A series of hours ending with the current one. */
const hours = (now: Date, first: number, last: number) =>
  sql`select ${hourOf(now)} - "h" * interval '1 hour' as "hour" from generate_series(${first}::int, ${last}::int, -1) as "h"`

const worst = sql`coalesce("w"."worseSeverity", "w"."severity")`

/** Warnings by their worst severity and the day they were raised, in the viewer's zone. */
const warnings = (now: Date, zone: string) => sql`
  select to_char("d"."day", 'YYYY-MM-DD') as "day", ${isoTime(sql`"d"."from"`)} as "from",
    ${isoTime(sql`"d"."to" - interval '1 ms'`)} as "to",
    count("w"."id") filter (where ${worst} = 'INFO') as "INFO", count("w"."id") filter (where ${worst} = 'WARNING') as "WARNING",
    count("w"."id") filter (where ${worst} = 'CRITICAL') as "CRITICAL"
  from (select "day", "day" at time zone ${zone}::text as "from", ("day" + interval '1 day') at time zone ${zone}::text as "to"
    from generate_series(date_trunc('day', ${now}::timestamptz at time zone ${zone}::text) - ${days - 1}::int * interval '1 day',
      date_trunc('day', ${now}::timestamptz at time zone ${zone}::text), interval '1 day') as "day") "d"
  left join "telemetry_warning" "w" on "w"."raisedAt" >= "d"."from" and "w"."raisedAt" < "d"."to"
  group by 1, "d"."from", "d"."to" order by 1`

/** Hours that are kept, and those since. */
const withClosed = (closed: readonly object[], columns: string, since: RawBuilder<unknown>) =>
  sql`(select * from jsonb_to_recordset(${JSON.stringify(closed)}::jsonb) as "k" ("hour" timestamptz, ${sql.raw(columns)}) union all ${since})`

/** Packets by hour of a day; duplicates count as valid. */
const packages = (now: Date, { until, packages: closed }: ClosedHours) => sql`
  select ${ms(sql`"h"."hour"`)} as "at", coalesce("p"."valid", 0) as "valid", coalesce("p"."partial", 0) as "partial",
    coalesce("p"."invalid", 0) as "invalid"
  from (${hours(now, hourSpans.packages - 1, 0)}) "h" left join ${withClosed(
    closed,
    '"valid" int8, "partial" int8, "invalid" int8',
    packagesIn({ from: sql`${until}::timestamptz`, to: sql`'infinity'` }),
  )} "p" on "p"."hour" = "h"."hour" order by 1`

/**
 * Systems by hour: those with a main board, and those of them with valid data. The former are a running sum of attachments and
 * removals. The current hour is omitted: boards with a long interval have not reported in it yet.
 */
const reporting = (now: Date, { until, heard: closed }: ClosedHours) => sql`
  with "h" as (${hours(now, hourSpans.heard, 1)}),
    "change" as (select greatest(date_bin('1 hour', "c"."at", '2000-01-01Z'), (select min("hour") from "h")) as "hour", sum("c"."by") as "by"
      from "control_pcb_attachment" "a" cross join lateral (values ("a"."attachedAt", 1), ("a"."removedAt", -1)) as "c" ("at", "by")
      where "a"."role" = 'MAIN' and "c"."at" is not null group by 1)
  select ${ms(sql`"h"."hour"`)} as "at", coalesce("p"."heard", 0) as "heard",
    coalesce(sum("c"."by") over (order by "h"."hour"), 0)::int8 as "of"
  from "h" left join "change" "c" on "c"."hour" = "h"."hour" left join ${withClosed(
    closed,
    '"heard" int8',
    heardIn({ from: sql`${until}::timestamptz`, to: hourOf(now) }),
  )} "p" on "p"."hour" = "h"."hour" order by 1`

/** From hourly rows, never from samples. Hours that are not rolled up yet are absent. */
const power = (now: Date, { until, power: closed }: ClosedHours) => sql`
  select ${ms(sql`"s"."hour"`)} as "at", "s"."systems", "s"."pvPowerW", "s"."loadPowerW", "s"."batteryPowerW", "s"."gridPowerW", "s"."measured"
  from ${withClosed(
    closed,
    '"systems" int8, "pvPowerW" float8, "loadPowerW" float8, "batteryPowerW" float8, "gridPowerW" float8, "measured" json',
    powerIn({ from: sql`${until}::timestamptz`, to: sql`'infinity'` }),
  )} "s" where "s"."hour" >= ${hourOf(now)} - ${hourSpans.power}::int * interval '1 hour' order by 1`

/** The fleet's history, in one statement over hourly counts and rolled-up rows. */
export async function fleetCharts(db: Queryable, now: Date, zone: string, closed: ClosedHours): Promise<SummaryCharts> {
  const found = await rowOf(
    db,
    sql<SummaryCharts>`select ${rowsAsJson(warnings(now, zone))} as "warnings", ${rowsAsJson(packages(now, closed))} as "packages",
      ${rowsAsJson(reporting(now, closed))} as "reporting", ${rowsAsJson(power(now, closed))} as "power"`,
  )
  return found ?? { warnings: [], packages: [], reporting: [], power: [] }
}
