import type { Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import type { ShownFault } from '#server/problems.ts'
import type { Row } from '#server/records/resource-rules.ts'

/** What the ESS of a board allows; null where it is not known or the board is not attached. */
export type EssLimits = {
  chemistry: string | null
  ratedChargePowerW: number | null
  ratedDischargePowerW: number | null
  gridConnectionLimitW: number | null
}

/** Fields that can hurt people or cells when they are wrong. */
export const dangerFields = [
  'manualPowerW',
  'cellVoltageMinMv',
  'cellVoltageMaxMv',
  'chargeCurrentMaxA',
  'dischargeCurrentMaxA',
  'chargeTempMinC',
  'chargeTempMaxC',
  'dischargeTempMinC',
  'dischargeTempMaxC',
] as const

/** Cell window by chemistry in mV: [lowest min, highest min, lowest max, highest max]; makers' service defaults. */
const cellWindows: Readonly<Record<string, readonly [number, number, number, number]>> = {
  LFP: [2500, 3100, 3400, 3650],
  NMC: [3000, 3500, 4000, 4250],
  LTO: [1500, 2000, 2400, 2850],
  LEAD_ACID: [1750, 2000, 2300, 2500],
}

const num = (desired: Row, name: string) => (typeof desired[name] === 'number' ? desired[name] : undefined)
const fault = (name: string, text: Label, fields: Fields): ShownFault => {
  const label = fields[name]?.label
  return { path: `desired.${name}`, code: 'rule', text, ...(label ? { label } : {}) }
}

type Check = (desired: Row, limits: EssLimits, say: (name: string, text: Label) => void) => void

const between = (value: number | undefined, low: number, high: number) => value === undefined || (value >= low && value <= high)
const range = (low: number | string, high: number | string): Label => [
  `Must be between ${low} and ${high}`,
  `Должно быть от ${low} до ${high}`,
]

const checks: readonly Check[] = [
  (desired, _limits, say) => {
    const [low, high, reserve] = ['socMinPct', 'socMaxPct', 'backupReservePct'].map((name) => num(desired, name))
    if (low !== undefined && high !== undefined && low + 10 > high) {
      say('socMaxPct', [
        'Must be at least 10 points above the lowest charge',
        'Должно быть хотя бы на 10 пунктов выше минимального заряда',
      ])
    }
    if (!between(reserve, low ?? 0, high ?? 100)) say('backupReservePct', range(`${low} %`, `${high} %`))
  },
  (desired, { chemistry }, say) => {
    const [min, max] = [num(desired, 'cellVoltageMinMv'), num(desired, 'cellVoltageMaxMv')]
    if (min !== undefined && max !== undefined && min + 300 > max) {
      say('cellVoltageMaxMv', ['Must be at least 300 mV above the lowest', 'Должно быть хотя бы на 300 мВ выше минимального'])
    }
    const window = cellWindows[chemistry ?? 'LFP']
    if (!window) return
    if (!between(min, window[0], window[1])) say('cellVoltageMinMv', range(`${window[0]} mV`, `${window[1]} mV`))
    if (!between(max, window[2], window[3])) say('cellVoltageMaxMv', range(`${window[2]} mV`, `${window[3]} mV`))
  },
  (desired, limits, say) => {
    const bounds = [
      ['chargePowerLimitW', limits.ratedChargePowerW],
      ['dischargePowerLimitW', limits.ratedDischargePowerW],
      ['gridImportLimitW', limits.gridConnectionLimitW],
      ['gridExportLimitW', limits.gridConnectionLimitW],
    ] as const
    for (const [name, highest] of bounds)
      if (highest !== null && !between(num(desired, name), 0, highest)) say(name, range('0 W', `${highest} W`))
  },
  (desired, limits, say) => {
    const power = num(desired, 'manualPowerW')
    const charge = num(desired, 'chargePowerLimitW') ?? limits.ratedChargePowerW ?? 5_000_000
    const discharge = num(desired, 'dischargePowerLimitW') ?? limits.ratedDischargePowerW ?? 5_000_000
    if (!between(power, -charge, discharge)) say('manualPowerW', range(`−${charge} W`, `${discharge} W`))
    if (power && desired.operatingMode !== 'MANUAL')
      say('manualPowerW', ['Only in the mode MANUAL', 'Только в режиме «Вручную»'])
  },
  (desired, _limits, say) => {
    if (overlaps(entriesOf(desired.schedule))) say('schedule', ['Two entries overlap', 'Две записи пересекаются'])
  },
]

type Entry = { days: readonly string[]; from: string; to: string }
const entriesOf = (value: unknown): Entry[] => (Array.isArray(value) ? value : [])
const overlaps = (entries: readonly Entry[]) =>
  entries.some((a, index) =>
    entries.slice(index + 1).some((b) => a.days.some((day) => b.days.includes(day)) && a.from < b.to && b.from < a.to),
  )

/** What the whole of a wanted configuration breaks, beyond the bounds of its single fields. */
export function configurationFaults(desired: Row, limits: EssLimits, fields: Fields): ShownFault[] {
  const faults: ShownFault[] = []
  for (const check of checks) check(desired, limits, (name, text) => faults.push(fault(name, text, fields)))
  return faults
}

/** The danger fields whose value would change. */
export const changedDangers = (before: Row, after: Row): string[] =>
  dangerFields.filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))

/** The values that a new board starts with: the defaults of the definition. */
export const defaultConfiguration = (fields: Fields): Row =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      'default' in field ? (field.default ?? null) : field.type === 'list' ? [] : null,
    ]),
  )
