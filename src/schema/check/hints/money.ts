import type { Report } from '#schema/check/report/report.ts'
import { choicesOf } from '#schema/facts/choices.ts'
import type { Field } from '#schema/field-types.ts'
import { currencies, isCurrency } from '#schema/format/money.ts'
import type { AnyResource } from '#schema/resource.ts'

/** The currencies that an amount can be of. */
function currenciesOf(field: Field, { fields }: AnyResource): readonly string[] {
  if (field.type !== 'money') return []
  const holder = field.currencyOf === undefined ? undefined : fields[field.currencyOf]
  return holder?.type === 'enum' ? choicesOf(holder) : [field.currency ?? '']
}

/** Amounts with more decimals than their currency: unit prices, or a mistake. */
export function remindOfDigits(report: Report, resource: AnyResource): void {
  for (const [name, field] of Object.entries(resource.fields)) {
    const known = currenciesOf(field, resource).filter(isCurrency)
    const most = Math.max(...known.map((code) => currencies[code]))
    if (field.type !== 'money' || field.digits === undefined || known.length === 0 || field.digits <= most) continue
    report(
      'money-digits',
      `${resource.name}.fields.${name}.digits`,
      `${known.join(', ')} has ${most} figures behind the point, and this takes ${field.digits}; drop digits, unless it is the price of a small unit`,
    )
  }
}
