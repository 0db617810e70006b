import { intlOf, type Label, type Language, say } from '#schema/words.ts'
import { formatDuration, formatNumber } from './format.ts'
import { type Unit, units } from './units.ts'

const percents = new Map<Language, boolean>()

/** English writes the percent sign without a space, Russian with one. */
export function isPercentTight(language: Language): boolean {
  const known = percents.get(language)
  if (known !== undefined) return known
  const isTight = !/\s/.test(new Intl.NumberFormat(intlOf(language), { style: 'percent' }).format(1))
  percents.set(language, isTight)
  return isTight
}

const tight = (symbol: string, language: Language) => symbol === '°' || (symbol === '%' && isPercentTight(language))

/** A formatted number with its unit symbol. */
export function withSymbol(text: string, label: Label, language: Language): string {
  const symbol = say(label, language)
  return tight(symbol, language) ? `${text}${symbol}` : `${text} ${symbol}`
}

const isUnit = (unit: string): unit is Unit => Object.hasOwn(units, unit)
/** Durations are shown in their largest units: 1 664 hours are 69 days. */
const secondsOf: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 }

/** Decimals of a value, up to a maximum. */
export const fraction = (value: number, most: number): number =>
  Math.min(most, (/\.(\d+)/.exec(String(value))?.[1] ?? '').length)

/** A number formatted with a unit given by name; empty without a known unit. */
export function measuredText(value: unknown, unit: unknown, language: Language): string {
  if (typeof value !== 'number') return ''
  const text = formatNumber(value, fraction(value, 2), language)
  if (typeof unit !== 'string' || unit === '') return text
  const seconds = secondsOf[unit]
  if (seconds !== undefined) return formatDuration(value * seconds, language)
  return isUnit(unit) ? withSymbol(text, units[unit].symbol, language) : `${text} ${unit}`
}
