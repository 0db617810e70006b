import { type RawBuilder, sql } from 'kysely'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { failedList } from '#server/fleet/firmware/update-course.ts'

/** A value of the last update of the board "t", by the index that the counts use. */
const ofUpdate = (
  value: RawBuilder<unknown>,
) => sql`(select ${value} from "firmware_update" "u" where "u"."rolloutId" = "t"."rolloutId"
  and "u"."controlPcbId" = "t"."controlPcbId" order by "u"."id" desc limit 1)`

const state = sql`case "t"."target" when 'WAITING' then 'WAITING' when 'SKIPPED' then 'LEFT_OUT' else ${ofUpdate(sql`case
  when "u"."finishedAt" is null then 'UNDER_WAY' when "u"."status" = 'SUCCEEDED' then 'SUCCEEDED'
  when "u"."status" in ${failedList} then 'FAILED' else 'LEFT_OUT' end`)} end`

export const rolloutBoardRules: ResourceRules = {
  derived: {
    state,
    updateId: ofUpdate(sql`"u"."id"`),
    progressPct: ofUpdate(sql`"u"."progressPct"`),
    deadlineAt: ofUpdate(sql`case when "u"."finishedAt" is null then "u"."deadlineAt" end`),
  },
}
