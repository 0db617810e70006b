import { type RawBuilder, sql } from 'kysely'
import { isoTime } from '#server/db/iso-time.ts'

/** Open warnings "w" that count: not those muted by maintenance. */
export const counting = sql`"w"."active" and not "w"."suppressed"`

/** Severity of a warning "w" as a rank, 1 to 3. */
const severityRank = sql`case "w"."severity" when 'CRITICAL' then 3 when 'WARNING' then 2 else 1 end`

/** Worst severity of several warnings "w" as a rank. */
export const worstRank = sql`max(${severityRank})`

/** Severity of a rank; null without one. */
export const severityOf = (rank: RawBuilder<unknown>) =>
  sql`case ${rank} when 3 then 'CRITICAL' when 2 then 'WARNING' when 1 then 'INFO' end`

/** The warning that stands first among the open ones of the ESS "t"; null without one. */
export const firstOfEss = sql`(select jsonb_build_object('warningId', "w"."id", 'raisedAt', ${isoTime(sql`"w"."raisedAt"`)})
  from "telemetry_warning" "w" where "w"."essId" = "t"."id" and ${counting}
  order by ${severityRank} desc, "w"."acknowledged", "w"."raisedAt" desc limit 1)`

export const openOfBoard = sql`(select count(*) from "telemetry_warning" "w" where "w"."controlPcbId" = "t"."id" and ${counting})`

/** Open warnings at the systems that the user "t" owns. */
export const openOfOwner = sql`(select count(*) from "telemetry_warning" "w" join "ess" "e" on "e"."id" = "w"."essId"
  where "e"."ownerId" = "t"."id" and ${counting})`
