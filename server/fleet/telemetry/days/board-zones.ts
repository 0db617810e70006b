import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** Days begin at any quarter of an hour and are made of 5-minute rows: they end where such a row begins. */
const cut = (time: string) => sql.raw(`date_bin('5 min', ${time} + interval '5 min' - interval '1 ms', '2000-01-01Z')`)

/**
 * The time zones of boards, as rows of "id", "essId", "zone", "since" and "until" that do not overlap and leave no time out.
 * A board's days are those of the site where it stands, and end where it comes or goes. While it stands nowhere they are those of
 * its next site, since it is set up for that one; without one, those of its last site. `boards` is a relation of "id".
 */
export const boardZones = (
  boards: Sql,
): Sql => sql`select "i"."id", "a"."essId", "knownZone"("e"."location"->>'timezone') as "zone",
    "s"."since", "s"."until"
  from (${boards}) "i" left join lateral (
      select "o"."essId", ${cut('"o"."attachedAt"')} as "came", ${cut('"o"."removedAt"')} as "left",
        lag(${cut('"o"."removedAt"')}) over "w" as "leftBefore", lead("o"."attachedAt") over "w" is null as "isLast"
      from "control_pcb_attachment" "o" where "o"."controlPcbId" = "i"."id"::text window "w" as (order by "o"."attachedAt", "o"."id")) "a" on true
    left join "ess" "e" on "e"."id" = "a"."essId"
    cross join lateral (values (coalesce("a"."leftBefore", '-infinity'), coalesce("a"."came", 'infinity')),
      ("a"."came", coalesce("a"."left", 'infinity')), ("a"."left", case when "a"."isLast" then 'infinity'::timestamptz end)) as "s" ("since", "until")
  where "s"."since" < "s"."until"`

/**
 * Days of the zones "z" in the hours "h", as rows of "id", "day" and "until". An hour may belong to two days: some time zones are
 * offset by half an hour.
 */
export const daysOfHours = (hours: Sql, zones: Sql): Sql => sql`select "z"."id",
    greatest(date_trunc('day', "e"."at", "z"."zone"), "z"."since") as "day",
    max(least((date_trunc('day', "e"."at" at time zone "z"."zone") + interval '1 day') at time zone "z"."zone", "z"."until")) as "until"
  from (${hours}) "h" join (${zones}) "z" on "z"."id" = "h"."id" and "z"."since" < "h"."hour" + interval '1 hour' and "z"."until" > "h"."hour"
    cross join lateral (values (greatest("h"."hour", "z"."since")),
      (least("h"."hour" + interval '59 min', "z"."until" - interval '1 min'))) as "e" ("at")
  group by 1, 2`
