import type { Limits } from './wire-field.ts'

/** What the nameplate of an ESS says about which values are possible; null where it is not known. */
export type SiteFacts = {
  chemistry: string | null
  ratedEnergyWh: number | null
  ratedChargePowerW: number | null
  ratedDischargePowerW: number | null
  cellsInSeries: number | null
  pvPeakPowerW: number | null
  gridConnectionLimitW: number | null
}

/** For boards that stand nowhere: only what is impossible everywhere is refused. */
export const anySite: SiteFacts = {
  chemistry: null,
  ratedEnergyWh: null,
  ratedChargePowerW: null,
  ratedDischargePowerW: null,
  cellsInSeries: null,
  pvPeakPowerW: null,
  gridConnectionLimitW: null,
}

/** Cells by chemistry: lowest and highest voltage of a pack per cell (V), nominal voltage (V), bounds of one cell (mV). */
const cells: Readonly<Record<string, { packV: Limits; nominalV: number; cellMv: Limits }>> = {
  LFP: { packV: [2, 3.8], nominalV: 3.2, cellMv: [1500, 4000] },
  NMC: { packV: [2.5, 4.4], nominalV: 3.65, cellMv: [1500, 4600] },
  LTO: { packV: [1.3, 3], nominalV: 2.3, cellMv: [1000, 3300] },
  LEAD_ACID: { packV: [1.5, 2.7], nominalV: 2, cellMv: [1000, 3000] },
}
const anyCell = { packV: [1.3, 4.4] as Limits, nominalV: 3.2, cellMv: [1000, 4600] as Limits }
const cellOf = ({ chemistry }: SiteFacts) => cells[chemistry ?? ''] ?? anyCell

const largestW = 10_000_000
const largestA = 10_000

export const cellMv = (site: SiteFacts): Limits => cellOf(site).cellMv

export const packV = (site: SiteFacts): Limits => {
  const { packV: bounds } = cellOf(site)
  return site.cellsInSeries ? [bounds[0] * site.cellsInSeries, bounds[1] * site.cellsInSeries] : [0, 2000]
}

/** The higher of both rated powers in W; undefined when neither is known. */
export function ratedPowerW({ ratedChargePowerW, ratedDischargePowerW }: SiteFacts): number | undefined {
  return Math.max(ratedChargePowerW ?? 0, ratedDischargePowerW ?? 0) || undefined
}

/** Current at rated power and nominal voltage, in A; undefined when the nameplate is not known. */
export function ratedCurrentA(site: SiteFacts): number | undefined {
  const powerW = ratedPowerW(site)
  return powerW && site.cellsInSeries ? powerW / (site.cellsInSeries * cellOf(site).nominalV) : undefined
}

const around = (value: number): Limits => [-value, value]
export const batteryW = (site: SiteFacts): Limits => around((ratedPowerW(site) ?? largestW) * 1.2)
export const batteryA = (site: SiteFacts): Limits => around((ratedCurrentA(site) ?? largestA) * 1.3)
export const storedWh = ({ ratedEnergyWh }: SiteFacts): Limits => [0, (ratedEnergyWh ?? largestW) * 1.1]
export const pvW = ({ pvPeakPowerW }: SiteFacts): Limits => [0, pvPeakPowerW ? pvPeakPowerW * 1.5 : largestW]
export const gridW = ({ gridConnectionLimitW }: SiteFacts): Limits =>
  around(gridConnectionLimitW ? gridConnectionLimitW * 1.5 : largestW * 2)
export const loadW = (): Limits => [0, largestW * 2]
