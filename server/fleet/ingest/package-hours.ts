import { type RawBuilder, sql } from 'kysely'
import { hourMs } from '#schema/format/durations.ts'

/** Packets of a board in one request. */
export type Counts = { valid: number; partial: number; invalid: number; unread: number; duplicate: number; missed: number }
/** Packets of a board in one body; `found`: for each late frame counted as missing, the hour of that count. */
type Counted = { controlPcbId: string; counts: Counts; found: readonly Date[] }

const hourOf = (time: Date) => Math.floor(time.getTime() / hourMs) * hourMs

const names = ['valid', 'partial', 'invalid', 'unread', 'duplicate', 'missed'] as const

/** Adds to the counts of each board and hour, and corrects earlier counts of missing frames; terms of a "with". */
export function countingSql(counted: readonly Counted[], now: Date): RawBuilder<unknown> {
  const hour = hourOf(now)
  const earlier = counted.flatMap(({ controlPcbId, found }) =>
    found.flatMap((time) => (hourOf(time) < hour ? [{ controlPcbId, hour: new Date(hourOf(time)) }] : [])),
  )
  const missedOf = ({ counts, found }: Counted) => counts.missed - found.filter((time) => hourOf(time) >= hour).length
  const rows = counted.map((one) => ({ ...one.counts, missed: missedOf(one), controlPcbId: one.controlPcbId }))
  const arrays = names.map((name) => sql`${sql.val(rows.map((row) => row[name]))}::int4[]`)
  const add = (name: string) => sql`${sql.id(name)} = "packageHour".${sql.id(name)} + excluded.${sql.id(name)}`
  return sql`"found" as (update "packageHour" "h" set "missed" = greatest(0, "h"."missed" - "u"."found")
      from (select "id", "hour", count(*)::int4 as "found" from unnest(${sql.val(earlier.map((one) => one.controlPcbId))}::text[],
        ${sql.val(earlier.map((one) => one.hour.toISOString()))}::timestamptz[]) as "t" ("id", "hour") group by 1, 2) "u"
      where "h"."controlPcbId" = "u"."id" and "h"."hour" = "u"."hour"),
    "counted" as (insert into "packageHour" ("controlPcbId", "hour", ${sql.join(names.map((name) => sql.id(name)))})
      select "u"."id", ${new Date(hour)}::timestamptz, ${sql.join(names.map((name) => sql`"u".${sql.id(name)}`))}
        from unnest(${sql.val(rows.map((row) => row.controlPcbId))}::text[], ${sql.join(arrays)})
          as "u" ("id", ${sql.join(names.map((name) => sql.id(name)))}) order by 1
      on conflict ("controlPcbId", "hour") do update set ${sql.join(names.map(add))})`
}
