import { sql } from 'kysely'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { isAssigned } from '#server/fleet/shared/relations.ts'
import { presetFor } from './chemistry-presets.ts'
import type { EssLimits } from './configuration-rules.ts'

/** Facts about a board's ESS that its configuration depends on. */
export type Site = EssLimits & { id: string; timezone: string | null; inMaintenance: boolean }

export async function siteOf(essId: unknown, { db, now }: { db: Queryable; now: Date }): Promise<Site | undefined> {
  const site = await rowOf(
    db,
    sql<
      Omit<Site, 'cells'>
    >`select "id", "chemistry", "cellsInSeries", "ratedChargePowerW", "ratedDischargePowerW", "gridConnectionLimitW",
      "location"->>'timezone' as "timezone",
      coalesce(("maintenance"->>'until')::timestamptz > ${now}, false) as "inMaintenance" from "ess" where "id" = ${essId ?? null}`,
  )
  return site && { ...site, cells: (await presetFor(db, site.chemistry)) ?? null }
}

export const refusals = ['ROLE', 'NOT_ASSIGNED', 'NO_MAINTENANCE'] as const
export type Refusal = (typeof refusals)[number]
/** Reason why the caller may not edit at all, or not edit protective values; null = allowed. */
export type ConfigurationAccess = { edit: Refusal | null; danger: Refusal | null }

/** Protective values are for admins, and for an assigned engineer while the ESS is under maintenance. */
export async function accessOf(
  site: Site | undefined,
  { db, caller }: Pick<Work, 'db' | 'caller'>,
): Promise<ConfigurationAccess> {
  if (caller.role === 'admin') return { edit: null, danger: null }
  if (caller.role === 'moderator') return { edit: null, danger: 'ROLE' }
  if (caller.role !== 'service_engineer') return { edit: 'ROLE', danger: 'ROLE' }
  const serves = site !== undefined && (await isAssigned(db, caller.userId, site.id, true))
  if (!serves) return { edit: 'NOT_ASSIGNED', danger: 'NOT_ASSIGNED' }
  return { edit: null, danger: site.inMaintenance ? null : 'NO_MAINTENANCE' }
}
