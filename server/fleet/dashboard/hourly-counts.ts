import { type RawBuilder, sql } from 'kysely'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'

/** Hours that each chart shows. */
export const hourSpans = { heard: 168, packages: 24, power: 24 }

/** Hours before these are closed: late data hardly changes what the fleet did in them. */
const openHours = 3

export const hourOf = (now: Date) => sql`date_bin('1 hour', ${now}::timestamptz, '2000-01-01Z')`

export const rowsAsJson = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg("x"), '[]') from (${rows}) "x")`

type Span = { from: RawBuilder<unknown>; to: RawBuilder<unknown> }

/** Main boards, one a system: those attached at the end of the hour, so that a replaced board counts once. */
const wereMains = (end: RawBuilder<unknown>) =>
  sql`"a"."role" = 'MAIN' and "a"."attachedAt" < ${end} and ("a"."removedAt" is null or "a"."removedAt" >= ${end})`

/** Systems with valid data by hour. */
export const heardIn = ({ from, to }: Span) => sql`
  select "p"."hour", count(*) as "heard" from "packageHour" "p" join "control_pcb_attachment" "a"
    on "a"."controlPcbId" = "p"."controlPcbId" and ${wereMains(sql`"p"."hour" + interval '1 hour'`)}
    where "p"."hour" >= ${from} and "p"."hour" < ${to} and "p"."valid" + "p"."partial" > 0 group by 1`

/** Packets of all boards by hour and result. */
export const packagesIn = ({ from, to }: Span) => sql`
  select "p"."hour", sum("p"."valid" + "p"."duplicate") as "valid", sum("p"."partial") as "partial", sum("p"."invalid") as "invalid"
    from "packageHour" "p" where "p"."hour" >= ${from} and "p"."hour" < ${to} group by 1`

/** Sums of the mean powers of all systems by hour, in W, each with the number of systems that measure it. */
export const powerIn = ({ from, to }: Span) => {
  const sums = telemetryStore.relations.hourlySums({
    boards: (hour) =>
      sql`"control_pcb_attachment" "a" on "a"."controlPcbId"::uuid = "r"."controlPcbId" and ${wereMains(sql`${hour} + interval '1 hour'`)}`,
    means: ['pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'],
    from,
    to,
  })
  return sql`select "s"."hour", "s"."boards" as "systems", "s"."pvPowerW", "s"."loadPowerW", "s"."batteryPowerW", "s"."gridPowerW",
    "s"."measured" from (${sums}) "s"`
}

type Hour = { hour: string }
/** Rows of the charts for the hours before `until`. */
export type ClosedHours = { until: string; heard: readonly Hour[]; packages: readonly Hour[]; power: readonly Hour[] }

/** Nearly all rows behind the charts: a large fleet keeps them for longer than the rest. */
export async function closedHours(db: Queryable, now: Date): Promise<ClosedHours> {
  const ago = (hours: number) => sql`${hourOf(now)} - ${hours}::int * interval '1 hour'`
  const to = ago(openHours)
  const found = await rowOf(
    db,
    sql<ClosedHours>`select ${isoTime(to)} as "until", ${rowsAsJson(heardIn({ from: ago(hourSpans.heard), to }))} as "heard",
      ${rowsAsJson(packagesIn({ from: ago(hourSpans.packages - 1), to }))} as "packages",
      ${rowsAsJson(powerIn({ from: ago(hourSpans.power), to }))} as "power"`,
  )
  if (!found) throw new Error('a statement without a table answers one row')
  return found
}
