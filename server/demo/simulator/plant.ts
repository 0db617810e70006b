import { hashText, unitOf } from './chance.ts'

/** What the simulator knows of an ESS. Powers in W, energies in Wh; `ageDays` on the day of the first start. */
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

/** A site as a battery, a roof and a household: constants of its physics. */
export type Plant = {
  code: string
  seed: number
  chemistry: Chemistry
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

export type Chemistry = { name: string; nominalV: number; curve: readonly (readonly [socPct: number, volts: number])[] }

const lfp: Chemistry = {
  name: 'LFP',
  nominalV: 3.2,
  curve: [
    [0, 2.85],
    [5, 3.1],
    [10, 3.2],
    [20, 3.25],
    [30, 3.28],
    [40, 3.295],
    [50, 3.305],
    [60, 3.315],
    [70, 3.33],
    [80, 3.335],
    [90, 3.345],
    [95, 3.36],
    [98, 3.4],
    [100, 3.5],
  ],
}
const nmc: Chemistry = {
  name: 'NMC',
  nominalV: 3.65,
  curve: [
    [0, 3.2],
    [5, 3.4],
    [10, 3.48],
    [20, 3.56],
    [30, 3.6],
    [40, 3.63],
    [50, 3.67],
    [60, 3.74],
    [70, 3.83],
    [80, 3.92],
    [90, 4.02],
    [95, 4.06],
    [100, 4.11],
  ],
}
const lto: Chemistry = {
  name: 'LTO',
  nominalV: 2.3,
  curve: [
    [0, 1.9],
    [10, 2.15],
    [50, 2.3],
    [90, 2.45],
    [100, 2.6],
  ],
}
const leadAcid: Chemistry = {
  name: 'LEAD_ACID',
  nominalV: 2,
  curve: [
    [0, 1.9],
    [20, 1.97],
    [50, 2.03],
    [80, 2.09],
    [100, 2.15],
  ],
}
const chemistries: Readonly<Record<string, Chemistry>> = { LFP: lfp, NMC: nmc, LTO: lto, LEAD_ACID: leadAcid }

/** Figures of the size that they were measured at; a larger battery has less resistance and more heat to take up. */
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

const dayMs = 86_400_000
export const dayOf = (timeMs: number): number => Math.floor(timeMs / dayMs)

/** The physics of a site, worked out of its nameplate. */
export function plantOf(site: Site): Plant {
  const seed = hashText(site.code)
  const chemistry = chemistries[site.chemistry] ?? lfp
  const facts = profiles[site.profile]
  const cells = site.cellsInSeries ?? 16
  const capacityAh = site.ratedCapacityAh ?? site.ratedEnergyWh / (cells * chemistry.nominalV)
  const perAh = facts.ofAh / capacityAh
  const perWh = site.ratedEnergyWh / facts.ofWh
  const dailyLoadWh = site.ratedEnergyWh * facts.loadShare * (0.8 + 0.4 * unitOf(seed, 0, 1))
  return {
    code: site.code,
    seed,
    chemistry,
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
export function openVoltage({ curve }: Chemistry, socPct: number): number {
  let [lowPct, lowV] = curve[0] ?? [0, 0]
  if (socPct <= lowPct) return lowV
  for (const [pct, volts] of curve) {
    if (socPct <= pct) return pct === lowPct ? volts : lowV + ((volts - lowV) * (socPct - lowPct)) / (pct - lowPct)
    lowPct = pct
    lowV = volts
  }
  return lowV
}
