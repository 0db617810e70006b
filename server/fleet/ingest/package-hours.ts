import { type RawBuilder, sql } from 'kysely'
import { hourMs } from '#schema/format/durations.ts'

/** Packets of a board in one request. */
export type Counts = { valid: number; partial: number; invalid: number; unread: number; duplicate: number; missed: number }
/** `found`: for each late frame that was counted as missing, when it was. */
type Counting = { counts: Counts; found: readonly Date[]; now: Date }

const hourOf = (time: Date) => Math.floor(time.getTime() / hourMs) * hourMs

/** Takes back what was counted as missing in earlier hours. */
const takingBack = (controlPcbId: string, hours: readonly Date[]) => sql`, "found" as (update "packageHour" "h"
    set "missed" = greatest(0, "h"."missed" - "u"."found") from (select "hour", count(*)::int4 as "found"
      from unnest(${sql.val(hours)}::timestamptz[]) as "t" ("hour") group by 1) "u"
    where "h"."controlPcbId" = ${controlPcbId} and "h"."hour" = "u"."hour")`

/** Adds to what came of a board in this hour; the last terms of a statement that begins with "with". */
export function countingSql(controlPcbId: string, { counts, found, now }: Counting): RawBuilder<unknown> {
  const { valid, partial, invalid, unread, duplicate, missed } = counts
  const hours = found.map(hourOf)
  const earlier = hours.flatMap((hour) => (hour < hourOf(now) ? [new Date(hour)] : []))
  const missing = missed - (hours.length - earlier.length)
  const add = (name: string) => sql`${sql.id(name)} = "packageHour".${sql.id(name)} + excluded.${sql.id(name)}`
  return sql`${earlier.length > 0 ? takingBack(controlPcbId, earlier) : sql``}
    insert into "packageHour" ("controlPcbId", "hour", "valid", "partial", "invalid", "unread", "duplicate", "missed")
      values (${controlPcbId}, ${new Date(hourOf(now))}::timestamptz, ${valid}, ${partial}, ${invalid}, ${unread}, ${duplicate}, ${missing})
      on conflict ("controlPcbId", "hour") do update set
        ${sql.join(['valid', 'partial', 'invalid', 'unread', 'duplicate', 'missed'].map(add))}`
}
