import { type CellPreset, leastSpanMv } from '#resources/fleet/chemistry-preset.ts'
import { dangerPart } from '#schema/danger-part.ts'
import { dangersOf, type Fields } from '#schema/field-types.ts'
import { dayMs } from '#schema/format/durations.ts'
import { unitText } from '#schema/format/exact-text.ts'
import type { Unit } from '#schema/format/units.ts'
import { topOf } from '#schema/rule.ts'
import { composed, type Label, say } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { changedValues } from './configuration-changes.ts'
import { checkSchedule, checkThresholds, rowsIn, type Say } from './configuration-lists.ts'
import { windowFaults } from './window-faults.ts'

/** Limits of the board's ESS; null where unknown or unattached. */
export type EssLimits = {
  chemistry: string | null
  /** Cell limits of the chemistry; null for an unknown one. */
  cells: CellPreset | null
  cellsInSeries: number | null
  ratedChargePowerW: number | null
  ratedDischargePowerW: number | null
  gridConnectionLimitW: number | null
}

/** Current at rated power; null when the nameplate lacks it. */
function ratedA(powerW: number | null, limits: EssLimits): number | null {
  if (powerW === null || limits.cellsInSeries === null || !limits.cells) return null
  return Math.ceil((powerW * 1000) / (limits.cells.nominalMv * limits.cellsInSeries))
}

type Situation = { limits: EssLimits; before: Row; now: Date }
type Check = (desired: Row, situation: Situation, say: Say) => void

const num = (desired: Row, name: string) => (typeof desired[name] === 'number' ? desired[name] : undefined)
const between = (value: number | undefined, low: number, high: number) => value === undefined || (value >= low && value <= high)
const limits: Label = ['Must be between {low} and {high}', 'Должно быть от {low} до {high}']
const range = (low: number, high: number, unit: Unit): Label =>
  composed((language) => say(limits, language, { low: unitText(low, unit, language), high: unitText(high, unit, language) }))

const longestCaptureMs = dayMs
/** Upper bound of all definitions. */
const mostPowerW = 5_000_000

/** Charging is negative. */
function powerBounds(desired: Row, limits: EssLimits): { lowW: number; highW: number } {
  const chargeW = num(desired, 'chargePowerLimitW') ?? limits.ratedChargePowerW ?? mostPowerW
  const dischargeW = num(desired, 'dischargePowerLimitW') ?? limits.ratedDischargePowerW ?? mostPowerW
  return { lowW: -chargeW, highW: dischargeW }
}

const checks: readonly Check[] = [
  (desired, _situation, say) => {
    const [low, high, reserve] = ['socMinPct', 'socMaxPct', 'backupReservePct'].map((name) => num(desired, name))
    if (low !== undefined && high !== undefined && low + 10 > high) {
      say('socMaxPct', [
        'Must be at least 10 points above the lowest charge',
        'Должно быть хотя бы на 10 пунктов выше минимального заряда',
      ])
    }
    if (!between(reserve, low ?? 0, high ?? 100)) say('backupReservePct', range(low ?? 0, high ?? 100, '%'))
  },
  (desired, { limits }, say) => {
    const [min, max] = [num(desired, 'cellVoltageMinMv'), num(desired, 'cellVoltageMaxMv')]
    if (min !== undefined && max !== undefined && min + leastSpanMv > max) {
      say('cellVoltageMaxMv', ['Must be at least 300 mV above the lowest', 'Должно быть хотя бы на 300 мВ выше минимального'])
    }
    if (!limits.cells) return
    const { lowestMinMv, highestMinMv, lowestMaxMv, highestMaxMv } = limits.cells
    if (!between(min, lowestMinMv, highestMinMv)) say('cellVoltageMinMv', range(lowestMinMv, highestMinMv, 'mV'))
    if (!between(max, lowestMaxMv, highestMaxMv)) say('cellVoltageMaxMv', range(lowestMaxMv, highestMaxMv, 'mV'))
  },
  (desired, { limits }, say) => {
    const bounds = [
      ['chargePowerLimitW', 0, limits.ratedChargePowerW, 'W'],
      ['dischargePowerLimitW', 0, limits.ratedDischargePowerW, 'W'],
      ['gridImportLimitW', 0, limits.gridConnectionLimitW, 'W'],
      ['gridExportLimitW', 0, limits.gridConnectionLimitW, 'W'],
      ['chargeCurrentMaxA', 1, ratedA(limits.ratedChargePowerW, limits), 'A'],
      ['dischargeCurrentMaxA', 1, ratedA(limits.ratedDischargePowerW, limits), 'A'],
    ] as const
    for (const [name, lowest, highest, unit] of bounds)
      if (highest !== null && !between(num(desired, name), lowest, highest)) say(name, range(lowest, highest, unit))
  },
  (desired, { limits }, say) => {
    const power = num(desired, 'manualPowerW')
    const { lowW, highW } = powerBounds(desired, limits)
    if (!between(power, lowW, highW)) say('manualPowerW', range(lowW, highW, 'W'))
    if (power && desired.operatingMode !== 'MANUAL')
      say('manualPowerW', ['Only in the mode MANUAL', 'Только в режиме «Вручную»'])
  },
  ({ schedule }, _situation, say) => checkSchedule(schedule, say),
  (desired, { limits }, say) => {
    const { lowW, highW } = powerBounds(desired, limits)
    const [lowPct, highPct] = [num(desired, 'socMinPct') ?? 0, num(desired, 'socMaxPct') ?? 100]
    for (const [index, entry] of rowsIn(desired.schedule).entries()) {
      const at = `schedule.${index}`
      if (!between(num(entry, 'powerW'), lowW, highW)) say(`${at}.powerW`, range(lowW, highW, 'W'))
      if (!between(num(entry, 'targetSocPct'), lowPct, highPct)) say(`${at}.targetSocPct`, range(lowPct, highPct, '%'))
      if (entry.mode === 'MANUAL' && num(entry, 'powerW') === undefined)
        say(`${at}.powerW`, ['The mode MANUAL needs a power', 'Для режима «Вручную» нужна мощность'])
    }
  },
  ({ maintenanceWindow }, _situation, say) => {
    for (const [part, text] of windowFaults(maintenanceWindow)) say(`maintenanceWindow.${part}`, text)
  },
  ({ warningOverrides }, { limits }, say) => checkThresholds(warningOverrides, limits.chemistry, say),
  ({ rawCaptureUntil }, { now, before }, say) => {
    const isLong = typeof rawCaptureUntil === 'string' && Date.parse(rawCaptureUntil) > now.getTime() + longestCaptureMs
    if (isLong && rawCaptureUntil !== before.rawCaptureUntil)
      say('rawCaptureUntil', ['At most 24 hours from now', 'Не дольше 24 часов от этого момента'])
  },
]

/** Cross-field faults of a desired configuration; values of a wrong type are reported by their fields. */
export function configurationFaults(desired: Row, situation: Situation, fields: Fields, group = 'desired'): ShownFault[] {
  const faults: ShownFault[] = []
  for (const check of checks) {
    check(desired, situation, (path, text) => {
      const label = fields[topOf(path)]?.label
      faults.push({ path: `${group}.${path}`, code: 'rule', text, ...(label ? { label } : {}) })
    })
  }
  return faults
}

/** Protective fields whose protective part would change. */
export function changedDangers(before: Row, after: Row, fields: Fields): string[] {
  const dangers = (values: Row): Row =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, dangerPart(field, values[name])]))
  const changed = new Set(changedValues(dangers(before), dangers(after)))
  return dangersOf(fields).filter((name) => changed.has(name))
}

/** Initial values of a new board: the definition's defaults. */
export const defaultConfiguration = (fields: Fields): Row =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      'default' in field ? (field.default ?? null) : field.type === 'list' ? [] : null,
    ]),
  )

export const usualOf = (cells: CellPreset | null | undefined): Row =>
  cells ? { cellVoltageMinMv: cells.usualMinMv, cellVoltageMaxMv: cells.usualMaxMv } : {}

/** Defaults at an ESS, from its chemistry, nameplate and location. */
export const defaultsAt = (fields: Fields, limits: (EssLimits & { timezone: string | null }) | undefined): Row => ({
  ...defaultConfiguration(fields),
  ...(limits && {
    ...usualOf(limits.cells),
    chargePowerLimitW: limits.ratedChargePowerW,
    dischargePowerLimitW: limits.ratedDischargePowerW,
    timezone: limits.timezone,
  }),
})
