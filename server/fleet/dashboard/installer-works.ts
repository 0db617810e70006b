import { sql } from 'kysely'
import { commissioningSteps, type SummaryWork } from '#schema/wire/summary.ts'
import type { Caller } from '#server/base/caller.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { configurationState, latestConfiguration } from '#server/fleet/configuration/configuration-state.ts'
import { fits } from '#server/fleet/firmware/firmware-sql.ts'
import { openSystems } from '#server/fleet/shared/ess-relations.ts'

const most = 200

/** Checklist facts per board of a system. The board is "t", its reports are "s". */
const boardFacts = sql`select
  "s"."lastPacketAt" is not null as "seen",
  coalesce("s"."lastValidPacketAt" >= now() - interval '30 minutes', false) as "valid",
  coalesce((select ${configurationState} from ${latestConfiguration} "c") = 'IN_SYNC', false) as "inSync",
  exists (select from "firmware" "f" where "f"."firmwareVersion" = "s"."firmwareVersion" and "f"."status" = 'RELEASED'
    and ${fits('f', 't')}) as "released"
  from "control_pcb" "t" left join "boardState" "s" on "s"."controlPcbId" = "t"."id" where "t"."essId" = "e"."id"`

type Found = Omit<SummaryWork, 'steps'> & Record<(typeof commissioningSteps)[number], boolean>

/** Systems of an installer with their checklists; board steps apply to all boards of a system. */
export async function installerWorks(db: Queryable, caller: Caller): Promise<SummaryWork[]> {
  const rows = await rowsOf(
    db,
    sql<Found>`select "e"."id", "e"."code", "e"."name", "e"."lifecycle", "e"."location"->>'address' as "address",
      "b"."count" > 0 as "boardAttached", "b"."seen" as "boardSeen", "b"."valid" as "validData",
      "b"."inSync" as "configurationInSync", "b"."released" as "firmwareReleased", "e"."ownerId" is not null as "ownerSet"
      from "ess" "e" cross join lateral (select count(*) as "count", coalesce(bool_and("seen"), false) as "seen",
        coalesce(bool_and("valid"), false) as "valid", coalesce(bool_and("inSync"), false) as "inSync",
        coalesce(bool_and("released"), false) as "released" from (${boardFacts}) "facts") "b"
      where "e"."id" in ${openSystems(caller)}
      order by "e"."lifecycle", "e"."code" limit ${most}`,
  )
  return rows.map(({ id, code, name, lifecycle, address, ...facts }) => ({
    id,
    code,
    name,
    lifecycle,
    address,
    steps: commissioningSteps.map((key) => ({ key, done: facts[key] })),
  }))
}
