import { sql } from 'kysely'
import type { SummarySite } from '#schema/wire/summary.ts'
import type { Caller } from '#server/base/caller.ts'
import type { Database } from '#server/db/connect.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { rowsOf } from '#server/db/query.ts'
import { RowsBeside } from '#server/engine/sql/shared-rows.ts'
import { measuredForOwner } from '#server/fleet/board/last-telemetry.ts'
import { essDerived } from '#server/fleet/ess/ess-derived.ts'
import { openSystems } from '#server/fleet/shared/ess-relations.ts'
import { isFresh } from '#server/fleet/shared/fleet-sql.ts'
import { counting, severityOf, worstRank } from '#server/fleet/shared/health-sql.ts'
import { clientToday, type OwnedSite } from './client-today.ts'

const most = 200

const names = ['socPct', 'energyAvailableWh', 'pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'] as const
const unpacked = sql.raw(names.map((name) => `"${name}" jsonb`).join(', '))
const values = sql.raw(names.map((name) => `, ("x"."${name}"->>'value')::float8 as "${name}"`).join(''))
const shown = sql.raw(names.map((name) => `, "n"."${name}"`).join(''))

/** The newest sample of the main board of "t", unless it predates the client's ownership. */
const newestAt = (
  now: Date,
) => sql`(select ${isoTime(sql`"s"."lastSampleAt"`)} as "measuredAt", not ${isFresh(now)} as "stale"${values} from "control_pcb" "b"
  join "boardState" "s" on "s"."controlPcbId" = "b"."id" and "s"."sample" is not null
  cross join lateral jsonb_to_record("s"."sample") as "x" (${unpacked})
  where "b"."essId" = "t"."id" and "b"."role" = 'MAIN' and ${measuredForOwner('b')})`

/** Distinct kinds of open warnings at "t"; location and count are for staff. */
const warnings = sql`(select coalesce(json_agg(json_build_object('code', "o"."code", 'raisedAt', ${isoTime(sql`"o"."raisedAt"`)},
    'severity', ${severityOf(sql`"o"."rank"`)}) order by "o"."rank" desc, "o"."code"), '[]')
  from (select "w"."code", ${worstRank} as "rank",
      case when min("w"."raisedAt") >= coalesce("t"."ownerSince", '-infinity') then min("w"."raisedAt") end as "raisedAt"
    from "telemetry_warning" "w" where "w"."essId" = "t"."id" and ${counting} group by 1) "o")`

type Found = Omit<SummarySite, 'today' | 'stale'> & OwnedSite & { stale: boolean | null }

/** Systems that a client owns or is a guest of, with their figures: nothing about boards, packets or other users. */
export async function clientSites(database: Database, caller: Caller, now: Date): Promise<SummarySite[]> {
  const beside = new RowsBeside()
  const connection = beside.valueOf(essDerived.connection)
  const health = beside.valueOf(essDerived.health)
  const sites = await rowsOf(
    database.kysely,
    sql<Found>`select "t"."id", "t"."code", "t"."name", "t"."lifecycle", ${connection} as "connection", ${health} as "health",
      case when "t"."ownerId" = ${caller.userId} then 'owner' else 'guest' end as "relation", "t"."ratedEnergyWh", "t"."ratedDischargePowerW",
      "t"."warrantyUntil"::text as "warrantyUntil",
      case when "t"."maintenance"->>'until' > ${now.toISOString()} then "t"."maintenance"->>'until' end as "maintenanceUntil",
      "t"."location"->>'timezone' as "zone", "t"."ownerSince", "n"."measuredAt", "n"."stale"${shown}, ${warnings} as "warnings"
      from "ess" as "t"${beside.joins()} left join lateral ${newestAt(now)} "n" on true
      where "t"."id" in ${openSystems(caller)} order by "relation" desc, "t"."code" limit ${most}`,
  )
  const today = await clientToday(database, sites, now)
  return sites.map(({ zone: _, ownerSince: __, ...site }) => ({
    ...site,
    stale: site.stale ?? true,
    today: today.get(site.id) ?? null,
  }))
}
