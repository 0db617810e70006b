import { type RawBuilder, sql } from 'kysely'
import { hasOwnTime } from './sample-columns.ts'
import { silence } from './windows.ts'

type Sql = RawBuilder<unknown>

const hourOf = (time: Sql) => sql`date_bin('1 hour', ${time}, '2000-01-01Z')`
const sampleAt = (condition: Sql) => sql`select "t"."ts" from "telemetry" "t"
  where "t"."controlPcbId" = "r"."id" and ${sql.raw(hasOwnTime('t'))} and ${condition} limit 1`

/**
 * Short silences that are followed to another hour. A board that is slower than its interval says is silent between any two samples,
 * and all of its past would be rolled up for a part of one step.
 */
const mostShort = sql.lit(3)

/**
 * CTEs after those of `hours`, the name of a relation of "id" and "hour": "joined" has these hours and those of silences that reach
 * into them, since what counters grew by is shared over all hours of a silence. A silence that is shared has seconds of its gap in the
 * five minutes before an hour; releases that did not share booked all of it where it ended. An hour that is open was joined when it opened.
 */
export const joinedHours = (
  hours: Sql,
): Sql => sql`"edge" as (select "h".*, lag("hour") over "o" as "before", lead("hour") over "o" as "after"
      from (select distinct "id", "hour" from ${hours}) "h" window "o" as (partition by "id" order by "hour")),
    "reach" ("id", "hour", "came", "isBack", "left") as (select "e"."id", "e"."hour", "e"."hour", "w"."isBack", ${mostShort} from "edge" "e"
        cross join (values (true), (false)) as "w" ("isBack")
        where case when "w"."isBack" then "e"."before" is distinct from "e"."hour" - interval '1 hour'
          else "e"."after" is distinct from "e"."hour" + interval '1 hour' end
      union all select "r"."id", "n"."hour", "r"."hour", "r"."isBack",
        "r"."left" - case when "n"."hour" between "r"."hour" - interval '1 hour' and "r"."hour" + interval '1 hour' then 1 else 0 end
      from "reach" "r"
        cross join lateral (select case when "r"."isBack" then "r"."hour" else "r"."hour" + interval '1 hour' end as "at") "b"
        cross join lateral (${sampleAt(sql`"t"."ts" < "b"."at" order by "t"."ts" desc`)}) "l"
        cross join lateral (${sampleAt(sql`"t"."ts" >= "b"."at" order by "t"."ts"`)}) "f"
        cross join lateral (select ${hourOf(sql`case when "r"."isBack" then "l"."ts" else "f"."ts" end`)} as "hour") "n"
        left join "boardState" "s" on "s"."controlPcbId" = "r"."id"::text
      where "r"."left" > 0 and "f"."ts" - "l"."ts" > ${sql.raw(silence('"s"'))}
        and (select "h"."hour" from "telemetryOpenHour" "h" where "h"."controlPcbId" = "r"."id" and "h"."hour" = "r"."hour") is null
        and (select "m"."gapSeconds" from "telemetry5m" "m" where "m"."controlPcbId" = "r"."id" and "m"."ts" = "b"."at" - interval '5 min') is null),
    "joined" as (select "id", "hour" from ${hours} union
      select "id", generate_series(least("hour", "came"), greatest("hour", "came"), interval '1 hour') from "reach" where "hour" <> "came")`
