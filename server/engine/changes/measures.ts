import type { Field, Fields } from '#schema/field-types.ts'
import { isComputed } from '#schema/form/presets.ts'
import { presentName } from '#schema/former-names.ts'

type Holder = Readonly<Record<string, unknown>>
export type MeasureKind = 'currency' | 'unit'
/** Unit of a number: `fixed` for all rows, or the one that the field `in` of the record holds. */
type Measure = { kind: MeasureKind; fixed?: string | undefined; in?: string | undefined }
export type OtherMeasure = { kind: MeasureKind; stored: string; defined: string }

/** A constant default fills the rows that are there. */
export const filledBy = (field: Field | undefined): unknown =>
  field && 'default' in field && !isComputed(field.default) ? field.default : undefined

/** Undefined for fields whose values are in no unit. */
export function measureOf(field: Field): Measure | undefined {
  if (field.type === 'money') return { kind: 'currency', fixed: field.currency, in: field.currencyOf }
  if (field.type === 'quantity') return { kind: 'unit', fixed: field.unit }
  return field.type === 'decimal' ? { kind: 'unit', in: field.unitOf } : undefined
}

/** The unit of a number: its own, or the one that its record holds, in a field that may only be about to come. */
function unitIn(measure: Measure | undefined, holder: Holder, fields: Fields): unknown {
  if (measure?.in === undefined) return measure?.fixed
  return Object.hasOwn(holder, measure.in) ? holder[measure.in] : filledBy(fields[measure.in])
}

/** `EUR`, or the field in which it is. */
const named = ({ kind, fixed, in: held }: Measure) =>
  fixed ?? (held === undefined ? `no ${kind}` : `the ${kind} in \`${held}\``)

/** A field of before, with the present name of the field that holds its unit. */
export function presentMeasure(before: Field, fields: Fields): Field {
  if (before.type === 'money' && before.currencyOf !== undefined)
    return { ...before, currencyOf: presentName(fields, before.currencyOf) }
  if (before.type === 'decimal' && before.unitOf !== undefined) return { ...before, unitOf: presentName(fields, before.unitOf) }
  return before
}

/** True where the definition says that the unit was only called otherwise. */
const isRelabelled = (field: Field, { fixed, in: held }: Measure) =>
  'unitWas' in field && [field.unitWas].flat().some((name) => name === (fixed ?? held))

/** The former and the present unit of a field where they differ. A field that had no unit cannot be misread. */
export function otherMeasure(before: Field | undefined, now: Field): OtherMeasure | undefined {
  const [had, has] = [before && measureOf(before), measureOf(now)]
  if (!had || !has || before?.type !== now.type || (had.fixed ?? had.in) === undefined) return undefined
  const [stored, defined] = [named(had), named(has)]
  return stored === defined || isRelabelled(now, had) ? undefined : { kind: had.kind, stored, defined }
}

/** True where a number is in the same unit as it was. `held`: the record under the names of before. */
export function isSameMeasure(
  one: { before: Field | undefined; held: Holder },
  now: { field: Field; record: Holder; fields: Fields },
): boolean {
  if (!one.before || !measureOf(one.before) || !measureOf(now.field)) return true
  return unitIn(measureOf(one.before), one.held, {}) === unitIn(measureOf(now.field), now.record, now.fields)
}
