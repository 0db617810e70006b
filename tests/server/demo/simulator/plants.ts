import type { Fault } from '#server/demo/simulator/faults.ts'
import { operationOf } from '#server/demo/simulator/operation.ts'
import { plantOf, type Site } from '#server/demo/simulator/plant.ts'
import { RunningPlant, type Seen } from '#server/demo/simulator/running-plant.ts'

export const home: Site = {
  code: 'ESS-000142',
  profile: 'HOME',
  chemistry: 'LFP',
  ratedEnergyWh: 10_240,
  ratedChargePowerW: 5_000,
  ratedDischargePowerW: 5_000,
  ratedCapacityAh: 200,
  cellsInSeries: 16,
  modules: 1,
  pvPeakPowerW: 6_000,
  gridPhases: 1,
  gridConnectionLimitW: 11_000,
  lat: 55.75,
  lon: 37.62,
  timezone: 'Europe/Moscow',
  installedAt: '2024-03-01',
}

export const warehouse: Site = {
  ...home,
  code: 'ESS-000215',
  profile: 'COMMERCIAL',
  ratedEnergyWh: 215_000,
  ratedChargePowerW: 100_000,
  ratedDischargePowerW: 100_000,
  ratedCapacityAh: 280,
  cellsInSeries: 240,
  modules: 15,
  pvPeakPowerW: 150_000,
  gridPhases: 3,
  gridConnectionLimitW: 200_000,
}

export const seasons = { summer: '2026-06-15', spring: '2026-03-20', winter: '2026-12-10' } as const
export const dayNumber = (date: string): number => Date.parse(date) / 86_400_000

type Run = { site: Site; from: string; days: number; configuration?: Record<string, unknown>; faults?: readonly Fault[] }

/** Every minute of some days of a site. */
export function minutesOf({ site, from, days, configuration = { operatingMode: 'TIME_OF_USE' }, faults = [] }: Run): Seen[] {
  const plant = plantOf(site)
  const running = new RunningPlant(plant, RunningPlant.firstCheckpoint(plant, dayNumber(from)))
  const operation = operationOf(configuration)
  return Array.from({ length: days * 1_440 }, () => running.next({ operationAt: () => operation, faults }))
}
