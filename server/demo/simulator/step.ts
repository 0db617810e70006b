import { dayS } from '#schema/format/durations.ts'
import { type DayInputs, minutesOfDay } from './day-inputs.ts'
import type { Operation } from './operation.ts'
import { openVoltage, type Plant } from './plant.ts'
import { setpointOf } from './setpoint.ts'

/** Inner step in seconds. */
export const stepS = 60
/** Converter efficiency. */
export const converterShare = 0.96
/** Coulombic efficiency of charging. */
export const chargeShare = 0.995

export type Counters = {
  chargeWh: number
  dischargeWh: number
  pvWh: number
  loadWh: number
  importWh: number
  exportWh: number
}

/** State carried from one minute to the next. Plain data, stored as a checkpoint. */
export type PlantState = { socPct: number; sohPct: number; tempC: number; cycles: number; counters: Counters }

/** Effects of faults on the physics; factors of 1 mean a healthy plant. */
export type Stress = { ohmFactor: number; coolingFactor: number; ambientK: number; isGridOut: boolean; hasWeakCell: boolean }

/** One minute of a site. Powers in W with the system's signs; limits are the battery's current ones. */
export type Minute = {
  pvW: number
  loadW: number
  batteryW: number
  gridW: number
  dcW: number
  volts: number
  amperes: number
  ambientC: number
  chargeLimitA: number
  dischargeLimitA: number
}

export const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const ramp = (value: number, from: number, to: number) => clamp((value - from) / (to - from), 0, 1)

/** Relative capacity of a weak cell: it runs empty first. */
export const weakCellShare = 0.85
export const weakSocPct = (socPct: number): number => Math.max(0, 100 - (100 - socPct) / weakCellShare)

/** Charge limit in W, reduced near full charge and at low or high temperature. */
function mostCharge({ chargeW, capacityAh }: Plant, { socPct, tempC }: PlantState, op: Operation, volts: number): number {
  if (tempC < op.chargeTempC[0] || tempC > op.chargeTempC[1]) return 0
  const top = 1 - ramp(socPct, op.socMaxPct - 5, op.socMaxPct)
  const temperature = Math.min(ramp(tempC, 0, 10), 1 - ramp(tempC, 40, 55))
  const byCurrent = Math.min(op.chargeMaxA ?? capacityAh, capacityAh) * volts
  return Math.min(chargeW, op.chargeLimitW ?? chargeW, byCurrent) * top * temperature
}

/** Discharge limit in W, reduced near the minimum charge. Off-grid the reserve may be used. */
function mostDischarge(plant: Plant, { socPct, tempC }: PlantState, op: Operation, volts: number, stress: Stress): number {
  if (tempC < op.dischargeTempC[0] || tempC > op.dischargeTempC[1]) return 0
  const floor = op.mode === 'BACKUP' && !stress.isGridOut ? Math.max(op.socMinPct, op.reservePct) : op.socMinPct
  const own = ramp(socPct, floor, floor + 5)
  const weakest = stress.hasWeakCell ? ramp(weakSocPct(socPct), 2, 6) : 1
  const byCurrent = Math.min(op.dischargeMaxA ?? plant.capacityAh, plant.capacityAh) * volts
  return Math.min(plant.dischargeW, op.dischargeLimitW ?? plant.dischargeW, byCurrent) * Math.min(own, weakest)
}

type Flow = { pvW: number; loadW: number; batteryW: number }

/** Curtailment order at a limited or absent grid: battery, solar, load. */
function settle(
  { pvW, loadW, batteryW }: Flow,
  limits: { chargeW: number; dischargeW: number; exportW: number; importW: number },
): Flow {
  const battery = clamp(batteryW, -limits.chargeW, limits.dischargeW)
  const gridW = loadW - pvW - battery
  if (-gridW > limits.exportW) {
    const excess = -gridW - limits.exportW
    const taken = Math.min(excess, battery + limits.chargeW)
    return { pvW: Math.max(0, pvW - (excess - taken)), loadW, batteryW: battery - taken }
  }
  if (gridW > limits.importW) {
    const excess = gridW - limits.importW
    const given = Math.min(excess, limits.dischargeW - battery)
    return { pvW, loadW: loadW - (excess - given), batteryW: battery + given }
  }
  return { pvW, loadW, batteryW: battery }
}

function flowOf(plant: Plant, state: PlantState, op: Operation, inputs: DayInputs, at: number, stress: Stress, volts: number) {
  const pvW = inputs.pvW[at] ?? 0
  const loadW = inputs.loadW[at] ?? 0
  const localH = (at / 60 + inputs.offsetH + 48) % 24
  const localDay = inputs.day + Math.floor((at / 60 + inputs.offsetH) / 24)
  const weekday = ((((localDay + 3) % 7) + 7) % 7) + 1
  const chargeW = mostCharge(plant, state, op, volts)
  const dischargeW = mostDischarge(plant, state, op, volts, stress)
  const moment = { hour: localH, weekday, surplusW: pvW - loadW, socPct: state.socPct }
  const limits = stress.isGridOut
    ? { chargeW, dischargeW, exportW: 0, importW: 0 }
    : {
        chargeW,
        dischargeW,
        exportW: op.exportLimitW ?? Number.POSITIVE_INFINITY,
        importW: op.importLimitW ?? Number.POSITIVE_INFINITY,
      }
  // Night charging must not overload the connection either.
  const roomW = Math.max(0, Math.min(limits.importW, plant.gridLimitW) - loadW + pvW)
  const setpoint = Math.max(setpointOf(moment, plant, op), -roomW)
  return { chargeW, dischargeW, localH, ...settle({ pvW, loadW, batteryW: setpoint }, limits) }
}

const agePerYear = 0.5
const agePerCycle = 0.004
/** Health that cycles and time take, in percent. */
export const aged = (cycles: number, seconds: number): number => agePerCycle * cycles + (agePerYear * seconds) / (365 * dayS)

/** Limits of the BMS on the requested power. */
const marginShare = 1.03
const marginA = 0.5

function heated(plant: Plant, state: PlantState, stress: Stress, lostW: number, ambientC: number): number {
  const resistance = plant.coolingKPerW * stress.coolingFactor
  return state.tempC + (stepS * (lostW - (state.tempC - ambientC) / resistance)) / plant.heatJPerK
}

/** Counters after further hours at this power. */
export function counted(counters: Counters, { pvW, loadW, batteryW, gridW }: Minute, hours: number): Counters {
  return {
    chargeWh: counters.chargeWh + Math.max(0, -batteryW) * hours,
    dischargeWh: counters.dischargeWh + Math.max(0, batteryW) * hours,
    pvWh: counters.pvWh + pvW * hours,
    loadWh: counters.loadWh + loadW * hours,
    importWh: counters.importWh + Math.max(0, gridW) * hours,
    exportWh: counters.exportWh + Math.max(0, -gridW) * hours,
  }
}

export type StepInput = { plant: Plant; state: PlantState; operation: Operation; inputs: DayInputs; at: number; stress: Stress }

/** Simulates one minute: returns its values and the final state. `at` is the minute of the day in `inputs`. */
export function step({ plant, state, operation, inputs, at, stress }: StepInput): { minute: Minute; state: PlantState } {
  const ohm = (plant.cells * plant.cellOhm + plant.wireOhm) * stress.ohmFactor
  const open = openVoltage(plant, state.socPct) * plant.cells
  const flow = flowOf(plant, state, operation, inputs, at % minutesOfDay, stress, open)
  const [pvW, loadW, batteryW] = [Math.round(flow.pvW), Math.round(flow.loadW), Math.round(flow.batteryW)]
  const dcW = batteryW > 0 ? batteryW / converterShare : batteryW * converterShare
  const amperes = (open - Math.sqrt(Math.max(0, open ** 2 - 4 * ohm * dcW))) / (2 * ohm)
  const volts = open - amperes * ohm
  const ambientC = 18 + 6 * Math.sin((2 * Math.PI * (flow.localH - 9)) / 24) + stress.ambientK
  const minute: Minute = {
    pvW,
    loadW,
    batteryW,
    // Computed from the rounded values, so that the balance is exact.
    gridW: loadW - pvW - batteryW,
    dcW,
    volts,
    amperes,
    ambientC,
    chargeLimitA: ((flow.chargeW * converterShare) / volts) * marginShare + marginA,
    dischargeLimitA: (flow.dischargeW / converterShare / volts) * marginShare + marginA,
  }
  const capacityAs = plant.capacityAh * (state.sohPct / 100) * 3600
  const share = amperes < 0 ? chargeShare : 1
  const cycles = (Math.abs(amperes) * stepS) / (2 * capacityAs)
  return {
    minute,
    state: {
      socPct: clamp(state.socPct - (100 * amperes * share * stepS) / capacityAs, 0, 100),
      sohPct: state.sohPct - aged(cycles, stepS),
      tempC: heated(plant, state, stress, amperes ** 2 * ohm, ambientC),
      cycles: state.cycles + cycles,
      counters: counted(state.counters, minute, stepS / 3600),
    },
  }
}
