import type { SiteLimit } from '#resources/fleet/channel-row.ts'
import { chemistries, chemistryOf, usualChemistry } from '#resources/fleet/chemistries.ts'
import type { Limits } from './wire-field.ts'

/** Plausibility limits from an ESS nameplate; null where unknown. */
export type SiteFacts = {
  profile: string | null
  chemistry: string | null
  ratedEnergyWh: number | null
  ratedChargePowerW: number | null
  ratedDischargePowerW: number | null
  cellsInSeries: number | null
  pvPeakPowerW: number | null
  gridConnectionLimitW: number | null
}

/** For boards without an ESS: rejects only values that are impossible at any site. */
export const anySite: SiteFacts = {
  profile: null,
  chemistry: null,
  ratedEnergyWh: null,
  ratedChargePowerW: null,
  ratedDischargePowerW: null,
  cellsInSeries: null,
  pvPeakPowerW: null,
  gridConnectionLimitW: null,
}

const rows = Object.values(chemistries)
const widest = (limitsOf: (row: (typeof rows)[number]) => Limits): Limits => [
  Math.min(...rows.map((row) => limitsOf(row)[0])),
  Math.max(...rows.map((row) => limitsOf(row)[1])),
]
/** For an unknown chemistry: rejects only what is impossible for every chemistry. */
const anyCell = { cellMv: widest(({ possible }) => possible.cellMv), packV: widest(({ possible }) => possible.packV) }
const possibleOf = ({ chemistry }: SiteFacts) => chemistryOf(chemistry)?.possible ?? anyCell
const nominalV = ({ chemistry }: SiteFacts) => (chemistryOf(chemistry) ?? chemistries[usualChemistry]).cells.nominalMv / 1000

/** Fallback for an unknown rated power: above any system's. */
export const largestW = 10_000_000
const largestA = 10_000

const cellMv = (site: SiteFacts): Limits => possibleOf(site).cellMv

const packV = (site: SiteFacts): Limits => {
  const { packV: bounds } = possibleOf(site)
  return site.cellsInSeries ? [bounds[0] * site.cellsInSeries, bounds[1] * site.cellsInSeries] : [0, 2000]
}

/** The higher of both rated powers in W; undefined when neither is known. */
export function ratedPowerW({ ratedChargePowerW, ratedDischargePowerW }: SiteFacts): number | undefined {
  return Math.max(ratedChargePowerW ?? 0, ratedDischargePowerW ?? 0) || undefined
}

/** Current at rated power and nominal voltage, in A; undefined when the nameplate is not known. */
export function ratedCurrentA(site: SiteFacts): number | undefined {
  const powerW = ratedPowerW(site)
  return powerW && site.cellsInSeries ? powerW / (site.cellsInSeries * nominalV(site)) : undefined
}

/** Capacity by rated energy and nominal voltage, in Ah; undefined when the nameplate is not known. */
export function ratedCapacityAh(site: SiteFacts): number | undefined {
  return site.ratedEnergyWh && site.cellsInSeries ? site.ratedEnergyWh / (site.cellsInSeries * nominalV(site)) : undefined
}

/** Open-circuit voltage of an empty and a full cell. */
export function endsMv({ chemistry }: SiteFacts): Limits {
  const { curve } = chemistryOf(chemistry) ?? chemistries[usualChemistry]
  const volts = curve.map(([, cellV]) => cellV)
  return [Math.min(...volts) * 1000, Math.max(...volts) * 1000]
}

const around = (value: number): Limits => [-value, value]
const batteryW = (site: SiteFacts): Limits => around((ratedPowerW(site) ?? largestW) * 1.2)
const batteryA = (site: SiteFacts): Limits => around((ratedCurrentA(site) ?? largestA) * 1.3)
const storedWh = ({ ratedEnergyWh }: SiteFacts): Limits => [0, (ratedEnergyWh ?? largestW) * 1.1]
const pvW = ({ pvPeakPowerW }: SiteFacts): Limits => [0, pvPeakPowerW ? pvPeakPowerW * 1.5 : largestW]
const gridW = ({ gridConnectionLimitW }: SiteFacts): Limits =>
  around(gridConnectionLimitW ? gridConnectionLimitW * 1.5 : largestW * 2)
const loadW = (): Limits => [0, largestW * 2]

/** Site-dependent limits of channels. */
export const siteLimits: Readonly<Record<SiteLimit, (site: SiteFacts) => Limits>> = {
  cellMv,
  packV,
  batteryW,
  batteryA,
  storedWh,
  pvW,
  gridW,
  loadW,
}
