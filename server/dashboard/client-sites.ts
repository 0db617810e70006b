import { sql } from 'kysely'
import type { SummarySite } from '#schema/summary.ts'
import type { Caller } from '#server/caller.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { essRules } from '#server/domain/ess.ts'
import { related } from '#server/domain/ess-routes.ts'

const most = 200

/** The systems that a client owns or was invited to, with their own figures: nothing of boards, packets or other people. */
export function clientSites(db: Queryable, { userId }: Caller, now: Date): Promise<SummarySite[]> {
  const { connection, health } = essRules.derived ?? {}
  return rowsOf(
    db,
    sql<SummarySite>`select "t"."id", "t"."code", "t"."name", "t"."lifecycle", (${connection}) as "connection", (${health}) as "health",
      case when "t"."ownerId" = ${userId} then 'owner' else 'guest' end as "relation", "t"."ratedEnergyWh", "t"."ratedDischargePowerW",
      "t"."warrantyUntil"::text as "warrantyUntil",
      case when "t"."maintenance"->>'until' > ${now.toISOString()} then "t"."maintenance"->>'until' end as "maintenanceUntil"
      from "ess" as "t" where ${related.owner(userId)} or ${related.guest(userId)} order by "relation" desc, "t"."code" limit ${most}`,
  )
}
