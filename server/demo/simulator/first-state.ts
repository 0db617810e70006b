import { unitOf } from './chance.ts'
import type { Plant } from './plant.ts'
import type { PlantState } from './step.ts'

const dailyCycles = 0.55
const agePerYear = 0.5
const agePerCycle = 0.004

/** Initial state of a plant, with wear and counters for its age. */
export function firstState(plant: Plant, day: number): PlantState {
  const chance = (channel: number) => unitOf(plant.seed, day, channel)
  const ageDays = Math.max(0, day - plant.installedDay)
  const cycles = ageDays * dailyCycles * (0.7 + 0.6 * unitOf(plant.seed, 0, 2))
  const throughWh = cycles * plant.energyWh
  const pvWh = ageDays * plant.pvPeakW * 2.6
  const loadWh = ageDays * plant.dailyLoadWh
  const exportWh = 0.3 * pvWh
  return {
    socPct: 15 + 30 * chance(3),
    sohPct: Math.max(70, 100 - 0.6 * unitOf(plant.seed, 0, 4) - agePerCycle * cycles - (agePerYear * ageDays) / 365),
    tempC: 19 + 2 * chance(5),
    cycles,
    counters: {
      chargeWh: throughWh / 0.94,
      dischargeWh: throughWh * 0.95,
      pvWh,
      loadWh,
      importWh: Math.max(0, loadWh - pvWh + exportWh),
      exportWh,
    },
  }
}
