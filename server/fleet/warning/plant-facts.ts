import { sql } from 'kysely'
import type { SiteFacts } from '#server/frames/site-facts.ts'
import type { RuleFacts } from './rule-facts.ts'

/** Nameplate columns that the rules use. */
type Plate = Pick<RuleFacts, 'capacityAh' | 'ownUseW' | 'gridPhases' | 'gridNominalV' | 'gridNominalHz'>
export type PlantRow = SiteFacts & Plate

/** Columns of the ESS "e" and its model "m", whose value is the fallback. */
export const plantColumns = sql`"e"."profile", "e"."chemistry", "e"."ratedEnergyWh", "e"."ratedChargePowerW", "e"."ratedDischargePowerW",
  "e"."cellsInSeries", "e"."pvPeakPowerW", "e"."gridConnectionLimitW", "e"."ratedCapacityAh" as "capacityAh",
  coalesce("e"."gridPhases", "m"."gridPhases") as "gridPhases", coalesce("e"."ownUseW", "m"."ownUseW") as "ownUseW", coalesce("e"."gridNominalV", "m"."gridNominalV") as "gridNominalV",
  coalesce("e"."gridNominalHz", "m"."gridNominalHz") as "gridNominalHz"`
export const plantModel = sql`left join "ess_model" "m" on "m"."id" = "e"."essModelId"`

export function plantOf(row: PlantRow): Plate & Pick<RuleFacts, 'site'> {
  const { profile, chemistry, ratedEnergyWh, ratedChargePowerW, ratedDischargePowerW, cellsInSeries } = row
  const { pvPeakPowerW, gridConnectionLimitW, capacityAh, ownUseW, gridPhases, gridNominalV, gridNominalHz } = row
  const rated = { ratedEnergyWh, ratedChargePowerW, ratedDischargePowerW }
  const site = { profile, chemistry, ...rated, cellsInSeries, pvPeakPowerW, gridConnectionLimitW }
  return { site, capacityAh, ownUseW, gridPhases, gridNominalV, gridNominalHz }
}
