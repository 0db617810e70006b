import { sql } from 'kysely'
import type { SiteFacts } from '#server/frames/site-facts.ts'
import type { RuleFacts } from './rule-facts.ts'

/** Nameplate columns that the rules use. */
export type PlantRow = SiteFacts & { capacityAh: number | null; ownUseW: number | null }

/** Of the ESS "e" and its model "m", whose value holds where the ESS has none. */
export const plantColumns = sql`"e"."chemistry", "e"."ratedEnergyWh", "e"."ratedChargePowerW", "e"."ratedDischargePowerW",
  "e"."cellsInSeries", "e"."pvPeakPowerW", "e"."gridConnectionLimitW", "e"."ratedCapacityAh" as "capacityAh",
  coalesce("e"."ownUseW", "m"."ownUseW") as "ownUseW"`
export const plantModel = sql`left join "ess_model" "m" on "m"."id" = "e"."essModelId"`

export function plantOf(row: PlantRow): Pick<RuleFacts, 'site' | 'capacityAh' | 'ownUseW'> {
  const { chemistry, ratedEnergyWh, ratedChargePowerW, ratedDischargePowerW, cellsInSeries } = row
  const { pvPeakPowerW, gridConnectionLimitW, capacityAh, ownUseW } = row
  const rated = { ratedEnergyWh, ratedChargePowerW, ratedDischargePowerW }
  return { site: { chemistry, ...rated, cellsInSeries, pvPeakPowerW, gridConnectionLimitW }, capacityAh, ownUseW }
}
