import type { Field } from '#schema/field-types.ts'
import type { Label, Language } from '#schema/words.ts'
import { formatDuration, formatNumber } from './format.ts'
import { fraction, withSymbol } from './measured-text.ts'
import { formatMoney } from './money.ts'
import { type Unit, units } from './units.ts'

const most = 6

const exactNumber = (value: number, language: Language) => formatNumber(value, fraction(value, most), language)

/** A number as people read it, in its unit, never rounded or scaled: 10,000 W. */
export const unitText = (value: number, unit: Unit, language: Language): string =>
  withSymbol(exactNumber(value, language), units[unit].symbol, language)

const bytes: Label = ['b', 'б']

/** A value of a field, or a count, as people read it, in the unit in which the field is filled in. */
export function exactText(value: number, field: Field | undefined, language: Language): string {
  if (field?.type === 'duration') return formatDuration(value, language)
  if (field?.type === 'money') return formatMoney(value, field.currency, field, language)
  if (field?.type === 'quantity') return unitText(value, field.unit, language)
  if (field?.type === 'percent') return unitText(value, '%', language)
  const text = exactNumber(value, language)
  return field?.type === 'bytes' ? withSymbol(text, bytes, language) : text
}
