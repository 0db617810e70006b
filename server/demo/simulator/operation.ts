import { isObject } from '#schema/is-object.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'

const modes = ['SELF_CONSUMPTION', 'PEAK_SHAVING', 'TIME_OF_USE', 'BACKUP', 'MANUAL', 'STANDBY'] as const
export type Mode = (typeof modes)[number]

/** Part of a week with another mode; days 1 (Monday) to 7, hours in local time. */
export type Slot = {
  days: readonly string[]
  fromH: number
  toH: number
  mode: Mode
  powerW: number | null
  targetSocPct: number | null
}

/** The operating settings of a board. Null = no limit. */
export type Operation = {
  reportIntervalS: number
  mode: Mode
  socMinPct: number
  socMaxPct: number
  reservePct: number
  chargeLimitW: number | null
  dischargeLimitW: number | null
  importLimitW: number | null
  exportLimitW: number | null
  manualW: number
  chargeMaxA: number | null
  dischargeMaxA: number | null
  chargeTempC: readonly [number, number]
  dischargeTempC: readonly [number, number]
  slots: readonly Slot[]
}

const modeOf = (value: unknown): Mode => modes.find((mode) => mode === value) ?? 'SELF_CONSUMPTION'
const hourOf = (text: unknown): number => {
  const [hours = 0, minutes = 0] = String(text).split(':').map(Number)
  return hours + minutes / 60
}

function slotsOf(schedule: unknown): Slot[] {
  const entries: unknown[] = Array.isArray(schedule) ? schedule : []
  return entries.filter(isObject).map(({ days, from, to, mode, powerW, targetSocPct }) => ({
    days: Array.isArray(days) ? days.map(String) : [],
    fromH: hourOf(from),
    toH: hourOf(to),
    mode: modeOf(mode),
    powerW: typeof powerW === 'number' ? powerW : null,
    targetSocPct: typeof targetSocPct === 'number' ? targetSocPct : null,
  }))
}

/** A configuration as operating settings; missing values take the board's default. */
export function operationOf(configuration: Row): Operation {
  const number = (name: string, absent: number) => {
    const value = configuration[name]
    return typeof value === 'number' ? value : absent
  }
  const limit = (name: string) => {
    const value = configuration[name]
    return typeof value === 'number' ? value : null
  }
  return {
    reportIntervalS: number('reportIntervalS', 60),
    mode: modeOf(configuration.operatingMode),
    socMinPct: number('socMinPct', 10),
    socMaxPct: number('socMaxPct', 100),
    reservePct: number('backupReservePct', 20),
    chargeLimitW: limit('chargePowerLimitW'),
    dischargeLimitW: limit('dischargePowerLimitW'),
    importLimitW: limit('gridImportLimitW'),
    exportLimitW: limit('gridExportLimitW'),
    manualW: number('manualPowerW', 0),
    chargeMaxA: limit('chargeCurrentMaxA'),
    dischargeMaxA: limit('dischargeCurrentMaxA'),
    chargeTempC: [number('chargeTempMinC', 0), number('chargeTempMaxC', 50)],
    dischargeTempC: [number('dischargeTempMinC', -10), number('dischargeTempMaxC', 55)],
    slots: slotsOf(configuration.schedule),
  }
}
