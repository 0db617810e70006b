import { type RawBuilder, sql } from 'kysely'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { failedList } from '#server/fleet/firmware/update-state-machine.ts'

/** A value of the last update of the board "t", by the index that the counts use. */
const ofUpdate = (
  value: RawBuilder<unknown>,
) => sql`(select ${value} from "firmware_update" "u" where "u"."rolloutId" = "t"."rolloutId"
  and "u"."controlPcbId" = "t"."controlPcbId" order by "u"."id" desc limit 1)`

/** A value of the configuration that the board "t" was given. */
const ofConfiguration = (
  value: RawBuilder<unknown>,
) => sql`(select ${value} from "rolloutConfiguration" "o" where "o"."rolloutId" = "t"."rolloutId"
  and "o"."controlPcbId" = "t"."controlPcbId")`

const stateOfUpdate =
  ofUpdate(sql`case when "u"."finishedAt" is null then 'UNDER_WAY' when "u"."status" = 'SUCCEEDED' then 'SUCCEEDED'
  when "u"."status" in ${failedList} then 'FAILED' else 'LEFT_OUT' end`)
const stateOfConfiguration = ofConfiguration(
  sql`case "o"."state" when 'OPEN' then 'UNDER_WAY' when 'CANCELED' then 'LEFT_OUT' else "o"."state" end`,
)
const state = sql`case "t"."target" when 'WAITING' then 'WAITING' when 'SKIPPED' then 'LEFT_OUT'
  else coalesce(${stateOfUpdate}, ${stateOfConfiguration}) end`

const rejectReason =
  ofConfiguration(sql`(select "v"."outcomeReason" from "configuration" "v" where "v"."controlPcbId" = "o"."controlPcbId"
  and "v"."version" = "o"."version" and "o"."failure" = 'REJECTED')`)

/** A waiting board without a reason of its own waits for its wave, or for its turn in it. */
const reason = sql`case when "t"."target" = 'WAITING' then coalesce("t"."reason",
  case when "t"."wave" > (select "r"."wave" from "rollout" "r" where "r"."id" = "t"."rolloutId") then 'WAVE' else 'NEXT' end)
  else "t"."reason" end`

export const rolloutBoardRules: ResourceRules = {
  derived: {
    state,
    reason,
    updateId: ofUpdate(sql`"u"."id"`),
    progressPct: ofUpdate(sql`"u"."progressPct"`),
    deadlineAt: sql`coalesce(${ofUpdate(sql`case when "u"."finishedAt" is null then "u"."deadlineAt" end`)},
      ${ofConfiguration(sql`case when "o"."finishedAt" is null then "o"."deadlineAt" end`)})`,
    failure: ofConfiguration(sql`"o"."failure"`),
    rejectReason,
    configVersion: ofConfiguration(sql`"o"."version"`),
  },
}
