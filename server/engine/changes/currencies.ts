import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { isComputed } from '#schema/form/presets.ts'
import { presentName } from '#schema/former-names.ts'

type Holder = Readonly<Record<string, unknown>>
type Money = FieldOf<'money'>

/** A constant default fills the rows that are there. */
export const filledBy = (field: Field | undefined): unknown =>
  field && 'default' in field && !isComputed(field.default) ? field.default : undefined

/** The currency of an amount: its own, or the one that its record holds, in a field that may only be about to come. */
function currencyIn({ currency, currencyOf }: Money, holder: Holder, fields: Fields): unknown {
  if (currencyOf === undefined) return currency
  return Object.hasOwn(holder, currencyOf) ? holder[currencyOf] : filledBy(fields[currencyOf])
}

/** `EUR`, or the field in which it is. */
const named = ({ currency, currencyOf }: Money) => currency ?? `the currency in \`${currencyOf}\``

/** A field of before, with the present name of the field that holds its currency. */
export const presentCurrency = (before: Field, fields: Fields): Field =>
  before.type === 'money' && before.currencyOf !== undefined
    ? { ...before, currencyOf: presentName(fields, before.currencyOf) }
    : before

/** Amounts whose currency is said otherwise: how it was said and how it is said now. */
export function otherCurrency(before: Field | undefined, now: Field): { stored: string; defined: string } | undefined {
  if (before?.type !== 'money' || now.type !== 'money') return undefined
  const [stored, defined] = [named(before), named(now)]
  return stored === defined ? undefined : { stored, defined }
}

/** True where an amount is in the same currency as it was. `held`: the record under the names of before. */
export const isSameCurrency = (
  one: { before: Field | undefined; held: Holder },
  now: { field: Field; record: Holder; fields: Fields },
) =>
  one.before?.type !== 'money' ||
  now.field.type !== 'money' ||
  currencyIn(one.before, one.held, {}) === currencyIn(now.field, now.record, now.fields)
