import type { Label } from '#schema/words.ts'

type Step = { from: number; divide: number; symbol: Label }
type UnitFacts = { symbol: Label; endings: readonly string[]; steps?: readonly Step[] }

const metric = (giga: Label, mega: Label, kilo: Label): readonly Step[] => [
  { from: 1e9, divide: 1e9, symbol: giga },
  { from: 1e6, divide: 1e6, symbol: mega },
  { from: 1e3, divide: 1e3, symbol: kilo },
]

/** One row per unit: its symbol in both languages, the allowed name suffixes, and larger display units. */
export const units = {
  W: { symbol: ['W', 'Вт'], endings: ['W'], steps: metric(['GW', 'ГВт'], ['MW', 'МВт'], ['kW', 'кВт']) },
  Wh: { symbol: ['Wh', 'Вт·ч'], endings: ['Wh'], steps: metric(['GWh', 'ГВт·ч'], ['MWh', 'МВт·ч'], ['kWh', 'кВт·ч']) },
  V: { symbol: ['V', 'В'], endings: ['V'] },
  // Cells are told apart in mV; supplies of 12 V are read in V.
  mV: { symbol: ['mV', 'мВ'], endings: ['Mv'], steps: [{ from: 1e4, divide: 1e3, symbol: ['V', 'В'] }] },
  A: { symbol: ['A', 'А'], endings: ['A'] },
  Ah: { symbol: ['Ah', 'А·ч'], endings: ['Ah'] },
  Hz: { symbol: ['Hz', 'Гц'], endings: ['Hz'] },
  '%': { symbol: ['%', '%'], endings: ['Pct'] },
  '°C': { symbol: ['°C', '°C'], endings: ['C'] },
  K: { symbol: ['K', 'К'], endings: ['K'] },
  s: { symbol: ['s', 'с'], endings: ['S'] },
  ms: {
    symbol: ['ms', 'мс'],
    endings: ['Ms'],
    steps: [
      { from: 172_800_000, divide: 86_400_000, symbol: ['d', 'д'] },
      { from: 7_200_000, divide: 3_600_000, symbol: ['h', 'ч'] },
      { from: 10_000, divide: 1_000, symbol: ['s', 'с'] },
    ],
  },
  min: { symbol: ['min', 'мин'], endings: ['Min'] },
  h: { symbol: ['h', 'ч'], endings: ['H'] },
  dBm: { symbol: ['dBm', 'дБм'], endings: ['Dbm'] },
  '°': { symbol: ['°', '°'], endings: ['Deg'] },
  m: { symbol: ['m', 'м'], endings: ['M'] },
  m2: { symbol: ['m²', 'м²'], endings: ['M2'] },
  kg: { symbol: ['kg', 'кг'], endings: ['Kg'] },
} as const satisfies Record<string, UnitFacts>

export type Unit = keyof typeof units

/**
 * The display unit of a value: 12 500 Wh → { divide: 1000, symbol: kWh }. With a `scale` it is the unit of that symbol for every
 * value, or without such a unit the stored one.
 */
export function unitStep(unit: Unit, value: number, scale?: string): { divide: number; symbol: Label } {
  const facts: UnitFacts = units[unit]
  const step = facts.steps?.find(({ from, symbol }) => (scale ? symbol[0] === scale : Math.abs(value) >= from))
  return step ?? { divide: 1, symbol: facts.symbol }
}
