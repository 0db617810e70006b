import { type Report, withArticle } from '#schema/check/report/report.ts'
import { choicesOf } from '#schema/facts/choices.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import { currencies, isCurrency } from '#schema/format/money.ts'
import type { AnyResource } from '#schema/resource.ts'

/** ISO 4217 codes that are not money: no currency, test, metals, bonds and drawing rights. */
const noMoney = /^X(XX|TS|A[GU]|P[DT]|B[A-D]|DR|UA|SU)$/

/** Currencies of the console's own table, and all others known to `Intl`. */
const isKnown = (code: string) =>
  isCurrency(code) || (!noMoney.test(code) && Intl.supportedValuesOf('currency').some((one) => one === code))

/** The currency field of amounts: an enum of currency codes, set wherever there is an amount. */
function checkHolder(
  report: Report,
  path: string,
  [name, holder]: [string, FieldOf<'enum'>],
  amounts: [string, Field][],
): void {
  const at = `${path}.${name}`
  for (const code of choicesOf(holder).filter((one) => !isKnown(one)))
    report('unknown-currency', `${at}.options.${code}`, `"${code}" is no currency`, {
      word: code,
      among: Object.keys(currencies),
    })
  const [[first] = ['']] = amounts
  if (holder.required === undefined && !holder.derived)
    report(
      'currency-optional',
      at,
      `an amount of "${first}" without a currency says nothing; say required: true, or required: { field: '${first}', op: 'null', value: false }`,
    )
  const unlike = amounts.find(([, amount]) => JSON.stringify(amount.when) !== JSON.stringify(holder.when))
  if (holder.when && unlike)
    report(
      'currency-hidden',
      `${at}.when`,
      `where it hides the currency, "${unlike[0]}" has none; drop it, or say the same there`,
    )
}

/** Amounts whose currency another field holds. */
export function checkCurrencies(report: Report, resource: AnyResource): void {
  const path = `${resource.name}.fields`
  const holders = new Map<string, [string, Field][]>()
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.type !== 'money' || field.currency !== undefined || field.currencyOf === undefined) continue
    const holder = Object.hasOwn(resource.fields, field.currencyOf) ? resource.fields[field.currencyOf] : undefined
    if (holder && ['text', 'code'].includes(holder.type))
      report(
        'unsuited-currency',
        `${path}.${name}.currencyOf`,
        `"${field.currencyOf}" is ${withArticle(holder.type)}, which may say anything; take an enum of currencies, like options: ['EUR', 'USD']`,
      )
    const isOther = holder?.type === 'enum' && choicesOf(holder).length > 0 && !choicesOf(holder).some(isKnown)
    if (isOther)
      report('unsuited-currency', `${path}.${name}.currencyOf`, `"${field.currencyOf}" has no currency among its choices`, {
        word: '',
        among: Object.entries(resource.fields).flatMap(([other, one]) =>
          one.type === 'enum' && choicesOf(one).some(isKnown) ? [other] : [],
        ),
      })
    else holders.set(field.currencyOf, [...(holders.get(field.currencyOf) ?? []), [name, field]])
  }
  for (const [name, amounts] of holders) {
    const holder = resource.fields[name]
    if (holder?.type === 'enum') checkHolder(report, path, [name, holder], amounts)
  }
}
