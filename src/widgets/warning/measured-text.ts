import { fieldText } from '#fields/field-text.ts'
import { formatDuration, formatNumber } from '#schema/format.ts'
import { type Unit, units } from '#schema/units.ts'
import type { Language } from '#schema/words.ts'

const isUnit = (unit: unknown): unit is Unit => typeof unit === 'string' && Object.hasOwn(units, unit)

const digitsOf = (value: number) => Math.min(2, (/\.(\d+)/.exec(String(value))?.[1] ?? '').length)

/** A number that came with the name of its unit, in words; empty where there is none. */
export function measuredText(value: unknown, unit: unknown, language: Language): string {
  if (typeof value !== 'number') return ''
  if (unit === 's') return formatDuration(value, language)
  if (isUnit(unit)) {
    return fieldText({ type: 'quantity', unit, digits: digitsOf(value), scale: 'none', label: ['', ''] }, value, { language })
  }
  const text = formatNumber(value, digitsOf(value), language)
  return typeof unit === 'string' && unit ? `${text} ${unit}` : text
}
