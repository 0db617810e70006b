import type { ChannelIn } from '#resources/fleet/channel-of.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import type { FrameToEncode } from '#server/frames/encode-frame.ts'
import { swingOf, unitOf } from './chance.ts'
import type { FaultKind } from './faults.ts'
import { openVoltage, type Plant } from './plant.ts'
import { clamp, type Minute, type PlantState, weakSocPct } from './step.ts'

/** The readings of a board in wire form. */
export type Readings = FrameToEncode<'TELEMETRY'>['values']

/** All channels are present: an unmeasured one is null. */
type AllReadings = Record<ChannelIn<'sample'>, number | string | null>

const placeText = (module: number, cell: number) => `m${module}/c${String(cell).padStart(2, '0')}`

/** Position of a cell from its 0-based index: module and cell, 1-based. */
function placeOf({ cells, modules }: Plant, index: number): string {
  const perModule = Math.max(1, Math.ceil(cells / modules))
  return placeText(1 + Math.floor(index / perModule), 1 + (index % perModule))
}

type Seen = { plant: Plant; state: PlantState; minute: Minute; active: ReadonlySet<FaultKind>; at: number; socMinPct: number }

/** Cells differ by some millivolts, more where the voltage curve is steep. */
function cellsOf({ plant, state: { socPct }, minute, active, at }: Seen) {
  const ohm = plant.cellOhm * (active.has('HEAT') ? 2.4 : 1)
  const drop = minute.amperes * ohm
  const avg = openVoltage(plant, socPct) - drop
  const steep = socPct > 95 || socPct < 10 ? 5 : 1
  const half = (0.0025 + 0.0025 * unitOf(plant.seed, Math.floor(at / 30), 10)) * steep
  const weak = openVoltage(plant, weakSocPct(socPct)) - drop
  const low = Math.round(unitOf(plant.seed, 0, 11) * (plant.cells - 1))
  const high = (low + 1 + Math.round(unitOf(plant.seed, Math.floor(at / 240), 12) * (plant.cells - 2))) % plant.cells
  const min = active.has('WEAK_CELL') ? Math.min(weak, avg - half) : avg - half
  return {
    cellVoltageMinMv: Math.round(1000 * min),
    cellVoltageAvgMv: Math.round(1000 * avg),
    cellVoltageMaxMv: Math.round(1000 * (avg + half)),
    cellVoltageMinPos: placeOf(plant, low),
    cellVoltageMaxPos: placeOf(plant, high),
  }
}

/** Higher current spreads the cell temperatures: 0.5 to 3 K. */
function temperaturesOf({ plant, state, minute, active, at }: Seen) {
  const rate = Math.abs(minute.amperes) / plant.capacityAh
  const spread = clamp(0.5 + 10 * rate ** 2, 0.5, 3)
  const avg = state.tempC + 0.1 * swingOf(plant.seed, at, 13) + (active.has('OVER_TEMP') ? 58 - state.tempC : 0)
  return {
    cellTempMinC: avg - spread / 2,
    cellTempAvgC: avg,
    cellTempMaxC: avg + spread / 2,
    mosfetTempC: state.tempC + 6 + 30 * rate + 0.2 * swingOf(plant.seed, at, 14),
    ambientTempC: minute.ambientC,
  }
}

function gridOf({ plant, minute, active, at }: Seen) {
  if (active.has('GRID_OUTAGE')) {
    const other = plant.phases === 3 ? 0 : null
    return { gridVoltageL1V: 0, gridVoltageL2V: other, gridVoltageL3V: other, gridFrequencyHz: null, gridMode: 'OFF_GRID' }
  }
  // Export raises the grid voltage.
  const lift = (-4 * minute.gridW) / plant.gridLimitW
  const phase = (channel: number) =>
    231 + lift + 2.5 * swingOf(plant.seed, Math.floor(at / 7), channel) + swingOf(plant.seed, at, channel)
  const other = (channel: number) => (plant.phases === 3 ? phase(channel) : null)
  return {
    gridVoltageL1V: phase(15),
    gridVoltageL2V: other(16),
    gridVoltageL3V: other(17),
    gridFrequencyHz: 50 + 0.06 * swingOf(7, at, 18),
    gridMode: 'ON_GRID',
  }
}

/** Rest limit of the current, in A per Ah of capacity. */
const restRate = 0.003

function chargeStateOf({ plant, state: { socPct }, minute: { amperes }, socMinPct }: Seen): string {
  if (Math.abs(amperes) > plant.capacityAh * restRate) return amperes > 0 ? 'DISCHARGING' : 'CHARGING'
  return socPct >= 99 ? 'FULL' : socPct <= socMinPct + 1 ? 'EMPTY' : 'HOLDING'
}

const flagsOf = (active: ReadonlySet<FaultKind>): number =>
  (active.has('DOOR_OPEN') ? 2 ** warnings.DOOR_OPEN.flag.bit : 0) +
  (active.has('INSULATION_FAULT') ? 2 ** warnings.INSULATION_FAULT.flag.bit : 0)

/** Readings of the main board: battery, cells, site meters. */
export function readingsOf(seen: Seen): AllReadings {
  const { plant, state, minute, active } = seen
  const { counters } = state
  return {
    socPct: state.socPct,
    sohPct: state.sohPct,
    batteryPowerW: minute.batteryW,
    batteryVoltageV: minute.volts,
    batteryCurrentA: minute.amperes,
    energyAvailableWh: (plant.energyWh * state.socPct * state.sohPct) / 10_000,
    ...cellsOf(seen),
    ...temperaturesOf(seen),
    chargeCurrentLimitA: minute.chargeLimitA,
    dischargeCurrentLimitA: minute.dischargeLimitA,
    pvPowerW: minute.pvW,
    loadPowerW: minute.loadW,
    gridPowerW: minute.gridW,
    ...gridOf(seen),
    chargeEnergyWh: Math.floor(counters.chargeWh),
    dischargeEnergyWh: Math.floor(counters.dischargeWh),
    pvEnergyWh: Math.floor(counters.pvWh),
    loadEnergyWh: Math.floor(counters.loadWh),
    gridImportEnergyWh: Math.floor(counters.importWh),
    gridExportEnergyWh: Math.floor(counters.exportWh),
    cycleCount: state.cycles,
    chargeState: chargeStateOf(seen),
    bankState: active.has('INSULATION_FAULT') ? 'FAULT' : 'CONNECTED',
    eventFlags: flagsOf(active),
  }
}

/** Readings of the main board only. */
const ofSite = [
  'batteryPowerW',
  'energyAvailableWh',
  'pvPowerW',
  'loadPowerW',
  'gridPowerW',
  'gridVoltageL1V',
  'gridVoltageL2V',
  'gridVoltageL3V',
  'gridFrequencyHz',
  'chargeEnergyWh',
  'dischargeEnergyWh',
  'pvEnergyWh',
  'loadEnergyWh',
  'gridImportEnergyWh',
  'gridExportEnergyWh',
] as const

/** Readings of a module board: its own cells and the string's current, without the site. `index` is 1-based. */
export function moduleReadings(readings: Readings, plant: Plant, index: number): Readings {
  const shift = Math.round(4 * swingOf(plant.seed, index, 19))
  const perModule = Math.max(1, Math.ceil(plant.cells / plant.modules))
  const own = Object.fromEntries(
    (['cellVoltageMinMv', 'cellVoltageAvgMv', 'cellVoltageMaxMv'] as const).map((name) => [
      name,
      Number(readings[name]) + shift,
    ]),
  )
  const place = (channel: number) => placeText(index, 1 + Math.floor(unitOf(plant.seed, index, channel) * perModule))
  const missing = Object.fromEntries(ofSite.map((name) => [name, null]))
  // Doors and contactors belong to the main board.
  return { ...readings, ...missing, ...own, eventFlags: 0, cellVoltageMinPos: place(20), cellVoltageMaxPos: place(21) }
}
