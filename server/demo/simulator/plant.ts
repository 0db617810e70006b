import { type ChemistryRow, chemistries, chemistryOf, usualChemistry } from '#resources/fleet/chemistries.ts'
import { dayMs } from '#schema/format/durations.ts'
import { hashText, unitOf } from './chance.ts'

/** Parameters of a simulated ESS. Powers in W, energies in Wh; `ageDays` on the day of the first start. */
export type Site = {
  code: string
  profile: 'HOME' | 'COMMERCIAL'
  chemistry: string
  ratedEnergyWh: number
  ratedChargePowerW: number
  ratedDischargePowerW: number
  ratedCapacityAh: number | null
  cellsInSeries: number | null
  modules: number | null
  pvPeakPowerW: number | null
  gridPhases: number | null
  gridConnectionLimitW: number | null
  lat: number
  lon: number
  timezone: string
  installedAt: string | null
}

/** Physical constants of a site: battery, solar panels and household. */
export type Plant = {
  code: string
  seed: number
  curve: ChemistryRow['curve']
  cells: number
  modules: number
  capacityAh: number
  energyWh: number
  chargeW: number
  dischargeW: number
  gridLimitW: number
  phases: number
  pvPeakW: number
  dailyLoadWh: number
  burstW: number
  cellOhm: number
  wireOhm: number
  heatJPerK: number
  coolingKPerW: number
  lat: number
  lon: number
  timezone: string
  installedDay: number
}

/** Reference values at the size they were measured; a larger battery has less resistance and more thermal mass. */
const profiles = {
  HOME: { cellOhm: 0.0009, ofAh: 200, wireOhm: 0.004, heatJPerK: 100_000, coolingKPerW: 0.08, ofWh: 10_240, loadShare: 1.15 },
  COMMERCIAL: {
    cellOhm: 0.0006,
    ofAh: 280,
    wireOhm: 0.02,
    heatJPerK: 2_200_000,
    coolingKPerW: 0.006,
    ofWh: 215_000,
    loadShare: 4.93,
  },
} as const

export const dayOf = (timeMs: number): number => Math.floor(timeMs / dayMs)

/** Derives the physics of a site from its nameplate. */
export function plantOf(site: Site): Plant {
  const seed = hashText(site.code)
  const { cells: cell, curve } = chemistryOf(site.chemistry) ?? chemistries[usualChemistry]
  const facts = profiles[site.profile]
  const cells = site.cellsInSeries ?? 16
  const capacityAh = site.ratedCapacityAh ?? site.ratedEnergyWh / ((cells * cell.nominalMv) / 1000)
  const perAh = facts.ofAh / capacityAh
  const perWh = site.ratedEnergyWh / facts.ofWh
  const dailyLoadWh = site.ratedEnergyWh * facts.loadShare * (0.8 + 0.4 * unitOf(seed, 0, 1))
  return {
    code: site.code,
    seed,
    curve,
    cells,
    modules: site.modules ?? 1,
    capacityAh,
    energyWh: site.ratedEnergyWh,
    chargeW: site.ratedChargePowerW,
    dischargeW: site.ratedDischargePowerW,
    gridLimitW: site.gridConnectionLimitW ?? 10 * Math.max(site.ratedChargePowerW, site.ratedDischargePowerW),
    phases: site.gridPhases ?? 1,
    pvPeakW: site.pvPeakPowerW ?? 0,
    dailyLoadWh,
    burstW: site.profile === 'HOME' ? 1_800 : dailyLoadWh / 24 / 5,
    cellOhm: facts.cellOhm * perAh,
    wireOhm: facts.wireOhm * perAh,
    heatJPerK: facts.heatJPerK * perWh,
    coolingKPerW: facts.coolingKPerW / perWh,
    lat: site.lat,
    lon: site.lon,
    timezone: site.timezone,
    installedDay: dayOf(site.installedAt ? Date.parse(site.installedAt) : Date.UTC(2024, 0, 1)),
  }
}

/** Open-circuit voltage of one cell in V. */
export function openVoltage({ curve }: Pick<Plant, 'curve'>, socPct: number): number {
  let [lowPct, lowV] = curve[0] ?? [0, 0]
  if (socPct <= lowPct) return lowV
  for (const [pct, volts] of curve) {
    if (socPct <= pct) return pct === lowPct ? volts : lowV + ((volts - lowV) * (socPct - lowPct)) / (pct - lowPct)
    lowPct = pct
    lowV = volts
  }
  return lowV
}
