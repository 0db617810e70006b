import { sql } from 'kysely'
import type { updateWaits } from '#resources/shared/updates.ts'
import { connectionRank } from '#server/fleet/shared/connection-sql.ts'

const reason = (code: keyof typeof updateWaits) => sql.lit(code)
/** Connection rank from which a board counts as silent. */
const offline = sql.lit(3)

/** First obstacle that keeps the update "t" from starting. Null once it has started. */
export const waitingSql = sql`case
  when "t"."status" = 'SCHEDULED' then ${reason('TIME')}
  when "t"."status" <> 'QUEUED' then null
  when "t"."scheduledAt" > now() then ${reason('TIME')}
  when exists (select 1 from "rollout" "r" where "r"."id" = "t"."rolloutId" and "r"."status" = 'PAUSED') then ${reason('ROLLOUT')}
  when not exists (select 1 from "boardState" "s" where "s"."controlPcbId" = "t"."controlPcbId" and ${connectionRank} < ${offline})
    then ${reason('SILENT')}
  when jsonb_typeof("t"."window") = 'object' then ${reason('WINDOW')}
  else ${reason('CONTACT')} end`
