import type { Label } from '#schema/words.ts'

/** Bounds of a chemistry's cell voltage limits, their usual values, and the nominal voltage. */
export type CellPreset = {
  lowestMinMv: number
  highestMinMv: number
  lowestMaxMv: number
  highestMaxMv: number
  usualMinMv: number
  usualMaxMv: number
  nominalMv: number
}
export type CellValue = keyof CellPreset

/** The preset of a chemistry with the standard; `version` 0 = never changed. */
export type ChemistryPreset = CellPreset & {
  chemistry: string
  standard: CellPreset
  version: number
  updatedAt: string | null
  updatedBy: string | null
}

type Place = { id: string; code: string }

/** Effect of another preset on the boards of its chemistry: desired limits outside of it. */
export type PresetEffect = {
  boards: number
  /** So many lie outside now, and so many would. */
  before: number
  outside: number
  examples: readonly { board: Place; ess: Place | null; minMv: number | null; maxMv: number | null }[]
}

/** No cell of any chemistry is asked for less or more: the bounds of the configuration itself. */
export const cellBounds = { lowestMv: 1500, highestMv: 4250 } as const
export const leastSpanMv = 300

export const cellValues = {
  lowestMinMv: ['Lower limit from', 'Нижний предел от'],
  highestMinMv: ['Lower limit to', 'Нижний предел до'],
  lowestMaxMv: ['Upper limit from', 'Верхний предел от'],
  highestMaxMv: ['Upper limit to', 'Верхний предел до'],
  usualMinMv: ['Usual lower limit', 'Обычный нижний предел'],
  usualMaxMv: ['Usual upper limit', 'Обычный верхний предел'],
  nominalMv: ['Nominal', 'Номинальное'],
} as const satisfies Record<CellValue, Label>

const outOfBounds: Label = ['Use whole millivolts from 1500 to 4250', 'Нужны целые милливольты от 1500 до 4250']
const backwards: Label = ['The window ends where it begins or above', 'Конец окна не ниже его начала']
const outside: Label = ['Must lie inside the window', 'Должно лежать внутри окна']
const tooNear: Label = ['At least 300 mV above the lowest', 'Хотя бы на 300 мВ выше минимального']
const between: Label = ['Must lie between the usual values', 'Должно лежать между обычными значениями']

export const isCellVoltage = (value: number): boolean =>
  Number.isInteger(value) && value >= cellBounds.lowestMv && value <= cellBounds.highestMv

const senses: readonly { at: CellValue; holds: (preset: CellPreset) => boolean; text: Label }[] = [
  { at: 'highestMinMv', holds: (p) => p.lowestMinMv <= p.highestMinMv, text: backwards },
  { at: 'highestMaxMv', holds: (p) => p.lowestMaxMv <= p.highestMaxMv, text: backwards },
  { at: 'usualMinMv', holds: (p) => p.lowestMinMv <= p.usualMinMv && p.usualMinMv <= p.highestMinMv, text: outside },
  { at: 'usualMaxMv', holds: (p) => p.lowestMaxMv <= p.usualMaxMv && p.usualMaxMv <= p.highestMaxMv, text: outside },
  { at: 'usualMaxMv', holds: (p) => p.usualMinMv + leastSpanMv <= p.usualMaxMv, text: tooNear },
  { at: 'nominalMv', holds: (p) => p.usualMinMv <= p.nominalMv && p.nominalMv <= p.usualMaxMv, text: between },
]

/** Faults of a preset, the first of each value. */
export function presetFaults(preset: CellPreset): ReadonlyMap<CellValue, Label> {
  const faults = new Map<CellValue, Label>()
  for (const name of cellNames) if (!isCellVoltage(preset[name])) faults.set(name, outOfBounds)
  if (faults.size > 0) return faults
  for (const { at, holds, text } of senses) if (!holds(preset) && !faults.has(at)) faults.set(at, text)
  return faults
}

const isCellValue = (name: string): name is CellValue => Object.hasOwn(cellValues, name)
export const cellNames: readonly CellValue[] = Object.keys(cellValues).filter(isCellValue)

/** The values of a preset alone, in their order. */
export const cellsIn = (preset: CellPreset): CellPreset => ({
  lowestMinMv: preset.lowestMinMv,
  highestMinMv: preset.highestMinMv,
  lowestMaxMv: preset.lowestMaxMv,
  highestMaxMv: preset.highestMaxMv,
  usualMinMv: preset.usualMinMv,
  usualMaxMv: preset.usualMaxMv,
  nominalMv: preset.nominalMv,
})

export const isSamePreset = (one: CellPreset, other: CellPreset): boolean =>
  cellNames.every((name) => one[name] === other[name])
