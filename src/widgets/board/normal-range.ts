import type { Channel } from '#resources/fleet/channel-of.ts'
import { type LastTelemetry, numberAt, settingOf } from '#widgets/energy/last-telemetry.ts'

/** Where a value is in order; null = no bound on that side. */
export type NormalRange = { low: number | null; high: number | null }

type Rule = (last: LastTelemetry) => NormalRange

const fixed =
  (low: number | null, high: number | null): Rule =>
  () => ({ low, high })
const settings =
  (low: string, high: string): Rule =>
  (last) => ({ low: settingOf(last, low), high: settingOf(last, high) })
const below = (value: number | null) => (value === null ? null : -value)

const cellVoltage = settings('cellVoltageMinMv', 'cellVoltageMaxMv')
const charging = settings('chargeTempMinC', 'chargeTempMaxC')
const discharging = settings('dischargeTempMinC', 'dischargeTempMaxC')
const cellTemperature: Rule = (last) => ((numberAt(last, 'batteryPowerW') ?? 0) < 0 ? charging : discharging)(last)
const gridVoltage = fixed(207, 253)

/** What a board was told to keep to; where nobody tells it, the levels at which warnings begin. */
const rules: Partial<Record<Channel, Rule>> = {
  socPct: settings('socMinPct', 'socMaxPct'),
  sohPct: fixed(80, null),
  batteryPowerW: (last) => ({
    low: below(settingOf(last, 'chargePowerLimitW')),
    high: settingOf(last, 'dischargePowerLimitW'),
  }),
  gridPowerW: (last) => ({ low: below(settingOf(last, 'gridExportLimitW')), high: settingOf(last, 'gridImportLimitW') }),
  batteryCurrentA: (last) => ({
    low: below(numberAt(last, 'chargeCurrentLimitA')),
    high: numberAt(last, 'dischargeCurrentLimitA'),
  }),
  cellVoltageMinMv: cellVoltage,
  cellVoltageAvgMv: cellVoltage,
  cellVoltageMaxMv: cellVoltage,
  cellDeltaMv: fixed(null, 80),
  cellTempMinC: cellTemperature,
  cellTempAvgC: cellTemperature,
  cellTempMaxC: cellTemperature,
  mosfetTempC: fixed(null, 75),
  gridVoltageL1V: gridVoltage,
  gridVoltageL2V: gridVoltage,
  gridVoltageL3V: gridVoltage,
  gridFrequencyHz: fixed(49.5, 50.5),
}

/** The range of a channel at this moment; undefined where it has none. */
export function normalRange(name: Channel, last: LastTelemetry): NormalRange | undefined {
  const range = rules[name]?.(last)
  return range && (range.low !== null || range.high !== null) ? range : undefined
}

export const isOutside = (value: number, { low, high }: NormalRange): boolean =>
  (low !== null && value < low) || (high !== null && value > high)
