import { usualChemistry } from '#resources/fleet/chemistries.ts'
import type { ChemistryPreset } from '#resources/fleet/chemistry-preset.ts'
import type { EssLimits } from './configuration-rules.ts'

/** Facts of an ESS that limit the configuration of its boards. */
export type Nameplate = Omit<EssLimits, 'cells'>

/** Nameplate of a board without an ESS. */
export const unattached: Nameplate = {
  chemistry: null,
  cellsInSeries: null,
  ratedChargePowerW: null,
  ratedDischargePowerW: null,
  gridConnectionLimitW: null,
}

/** Limits of a board at an ESS; without one those of no system in particular. */
export const limitsAt = (nameplate: Nameplate | null, presets: readonly ChemistryPreset[]): EssLimits => {
  const { chemistry, ...rest } = nameplate ?? unattached
  return { chemistry, ...rest, cells: presets.find((preset) => preset.chemistry === (chemistry ?? usualChemistry)) ?? null }
}
