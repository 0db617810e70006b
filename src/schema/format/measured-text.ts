import { type Label, type Language, say } from '#schema/words.ts'
import { formatDuration, formatNumber } from './format.ts'
import { type Unit, units } from './units.ts'

/** English sets the per cent sign and the degree tight, Russian only the degree. */
const tight = (symbol: string, language: Language) => symbol === '°' || (symbol === '%' && language === 'en')

/** A written number with the symbol of its unit. */
export function withSymbol(text: string, label: Label, language: Language): string {
  const symbol = say(label, language)
  return tight(symbol, language) ? `${text}${symbol}` : `${text} ${symbol}`
}

const isUnit = (unit: string): unit is Unit => Object.hasOwn(units, unit)
/** Time is read in its largest parts: 1 664 hours are 69 days. */
const secondsOf: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 }

/** Decimals of a value, as far as it has them. */
export const fraction = (value: number, most: number): number =>
  Math.min(most, (/\.(\d+)/.exec(String(value))?.[1] ?? '').length)

/** A number that came with the name of its unit, in words; empty where there is none. */
export function measuredText(value: unknown, unit: unknown, language: Language): string {
  if (typeof value !== 'number') return ''
  const text = formatNumber(value, fraction(value, 2), language)
  if (typeof unit !== 'string' || unit === '') return text
  const seconds = secondsOf[unit]
  if (seconds !== undefined) return formatDuration(value * seconds, language)
  return isUnit(unit) ? withSymbol(text, units[unit].symbol, language) : `${text} ${unit}`
}
