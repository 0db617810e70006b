import { dayMs, hourMs } from '#schema/format/durations.ts'
import { type HourInputs, hourInputs, zoneOffsetH } from '#server/demo/simulator/day-inputs.ts'
import type { Operation } from '#server/demo/simulator/operation.ts'
import { openVoltage, type Plant } from '#server/demo/simulator/plant.ts'
import { type Readings, readingsOf } from '#server/demo/simulator/readings.ts'
import type { Checkpoint } from '#server/demo/simulator/running-plant.ts'
import { setpointOf } from '#server/demo/simulator/setpoint.ts'
import {
  aged,
  type Counters,
  clamp,
  converterShare,
  counted,
  type Minute,
  type PlantState,
} from '#server/demo/simulator/step.ts'

/** An hour of a plant: its means, and the counters' growth in it. `localDay` counts days of the site's clock since 1970. */
export type Hour = { fromMs: number; localDay: number; readings: Readings; growth: Counters; cycles: number }

const none: Counters = { chargeWh: 0, dischargeWh: 0, pvWh: 0, loadWh: 0, importWh: 0, exportWh: 0 }
const noFaults: ReadonlySet<never> = new Set()

/** Mean power that the battery gives (+) or takes in an hour, within its power, its charge and the connection of the site. */
function batteryOf(
  plant: Plant,
  state: PlantState,
  op: Operation,
  site: { pvW: number; loadW: number; setpointW: number },
): number {
  const pctWh = (plant.energyWh * state.sohPct) / 10_000
  const roomWh = Math.max(0, op.socMaxPct - state.socPct) * pctWh
  const storedWh = Math.max(0, state.socPct - (op.socMinPct + 1)) * pctWh
  const gridRoomW = Math.max(0, plant.gridLimitW - site.loadW + site.pvW)
  const mostIn = Math.min(plant.chargeW, op.chargeLimitW ?? plant.chargeW, roomWh / converterShare)
  const mostOut = Math.min(plant.dischargeW, op.dischargeLimitW ?? plant.dischargeW, storedWh * converterShare)
  return Math.round(clamp(Math.max(site.setpointW, -gridRoomW), -mostIn, mostOut))
}

type Timed = HourInputs & { day: number }

function minuteOf(plant: Plant, state: PlantState, op: Operation, inputs: Timed, hour: number): Minute {
  const [pvW, loadW] = [inputs.pvW[hour] ?? 0, inputs.loadW[hour] ?? 0]
  const localH = (hour + inputs.offsetH + 48) % 24
  const localDay = inputs.day + Math.floor((hour + inputs.offsetH) / 24)
  const moment = { hour: localH, weekday: ((((localDay + 3) % 7) + 7) % 7) + 1, surplusW: pvW - loadW, socPct: state.socPct }
  const batteryW = batteryOf(plant, state, op, { pvW, loadW, setpointW: setpointOf(moment, plant, op) })
  const volts = openVoltage(plant, state.socPct) * plant.cells
  const dcW = batteryW > 0 ? batteryW / converterShare : batteryW * converterShare
  const limitA = plant.capacityAh
  return {
    pvW,
    loadW,
    batteryW,
    gridW: loadW - pvW - batteryW,
    dcW,
    volts,
    amperes: dcW / volts,
    ambientC: 18 + 6 * Math.sin((2 * Math.PI * (localH - 9)) / 24),
    chargeLimitA: limitA,
    dischargeLimitA: limitA,
  }
}

function after(plant: Plant, state: PlantState, minute: Minute): { state: PlantState; growth: Counters; cycles: number } {
  const pctWh = (plant.energyWh * state.sohPct) / 10_000
  const cycles = Math.abs(minute.dcW) / (2 * 100 * pctWh)
  const lostW = Math.abs(minute.batteryW - minute.dcW) / 10
  return {
    growth: counted(none, minute, 1),
    cycles,
    state: {
      socPct: clamp(state.socPct - minute.dcW / pctWh, 0, 100),
      sohPct: state.sohPct - aged(cycles, 3600),
      tempC: minute.ambientC + lostW * plant.coolingKPerW,
      cycles: state.cycles + cycles,
      counters: counted(state.counters, minute, 1),
    },
  }
}

type Running = { plant: Plant; from: Checkpoint; toDay: number; operation: Operation }

/**
 * A plant hour by hour up to the start of a day (UTC): a sixtieth of the work of its minutes, and close to their sums. Returns its state
 * then, from which the minutes go on.
 */
export function* hoursOf({ plant, from, toDay, operation }: Running): Generator<Hour, PlantState> {
  let { state } = from
  for (let day = from.day; day < toDay; day++) {
    const offsetH = zoneOffsetH(plant.timezone, day * dayMs + dayMs / 2)
    const inputs = { day, ...hourInputs(plant, day, offsetH) }
    for (let hour = 0; hour < 24; hour++) {
      const minute = minuteOf(plant, state, operation, inputs, hour)
      const next = after(plant, state, minute)
      state = next.state
      const fromMs = day * dayMs + hour * hourMs
      const seen = { plant, state, minute, active: noFaults, at: fromMs / 60_000, socMinPct: operation.socMinPct }
      const localDay = Math.floor((fromMs + offsetH * hourMs) / dayMs)
      yield { fromMs, localDay, readings: readingsOf(seen), growth: next.growth, cycles: next.cycles }
    }
  }
  return state
}
