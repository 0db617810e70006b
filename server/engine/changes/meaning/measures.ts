import { choicesOf, hasChoices } from '#schema/facts/choices.ts'
import type { Field, Fields, FieldType } from '#schema/field-types.ts'
import { constantDefault } from '#schema/form/presets.ts'
import { isCurrency } from '#schema/format/money.ts'
import { fieldBefore, presentName } from '#schema/former-names.ts'

type Holder = Readonly<Record<string, unknown>>
type MeasureKind = 'currency' | 'unit'
/** Unit of a number: `fixed` for all rows, or the one that the field `in` of the record holds. */
type Measure = { kind: MeasureKind; fixed?: string | undefined; in?: string | undefined }
/** `measure`: the field that holds the units gives some of them up. */
type OtherMeasure = { kind: MeasureKind | 'measure'; stored: string; defined: string }

/** Units of types that have one. */
const unitsOfTypes: Partial<Record<FieldType, string>> = { percent: '%', bytes: 'B', duration: 's' }

/** Undefined for fields whose values are in no unit. */
export function measureOf(field: Field): Measure | undefined {
  if (field.type === 'money') return { kind: 'currency', fixed: field.currency, in: field.currencyOf }
  if (field.type === 'quantity') return { kind: 'unit', fixed: field.unit }
  const fixed = unitsOfTypes[field.type]
  if (fixed !== undefined) return { kind: 'unit', fixed }
  return field.type === 'decimal' && field.unitOf !== undefined ? { kind: 'unit', in: field.unitOf } : undefined
}

/** The unit of a number: its own, or the one that its record holds, in a field that may only be about to come. */
function unitIn(measure: Measure | undefined, holder: Holder, fields: Fields): unknown {
  if (measure?.in === undefined) return measure?.fixed
  return Object.hasOwn(holder, measure.in) ? holder[measure.in] : constantDefault(fields[measure.in])
}

/** `EUR`, or the field in which it is. */
const named = (measure: Measure | undefined, kind = measure?.kind ?? 'unit') =>
  measure?.fixed ?? (measure?.in === undefined ? `no ${kind}` : `the ${kind} in \`${measure.in}\``)

/** A former field, with the present name of the field that holds its unit. */
export function presentMeasure(before: Field, fields: Fields): Field {
  if (before.type === 'money' && before.currencyOf !== undefined)
    return { ...before, currencyOf: presentName(fields, before.currencyOf) }
  if (before.type === 'decimal' && before.unitOf !== undefined) return { ...before, unitOf: presentName(fields, before.unitOf) }
  return before
}

/** True where the definition says that the unit was only called otherwise. */
const isRelabelled = (field: Field, { fixed, in: held }: Measure) =>
  'unitWas' in field && [field.unitWas].flat().some((name) => name === (fixed ?? held))

/** Types whose values no other type reads: a secret is shown to nobody, a stored file has its bytes elsewhere. */
const closedTypes: Partial<Record<FieldType, string>> = { secret: 'secret', file: 'file', files: 'file' }

/** How a value is read: alone, or as a number in a unit. Without either it means what is written. */
const readingOf = (field: Field): string => closedTypes[field.type] ?? named(measureOf(field))

/** A type that reads the values of the former one as something else, unless the definition says that they are meant so. */
export const readsOtherwise = (before: Field, now: Field): boolean => {
  const had = measureOf(before)
  const isMeant = now.convert?.from === before.type || (had !== undefined && isRelabelled(now, had))
  return before.type !== now.type && !isMeant && readingOf(before) !== readingOf(now)
}

/** The former and the present unit of a field where they differ. A field that had no unit cannot be misread. */
function otherMeasure(before: Field | undefined, now: Field): OtherMeasure | undefined {
  const [had, has] = [before && measureOf(before), measureOf(now)]
  if (!had || before?.type !== now.type || (had.fixed ?? had.in) === undefined) return undefined
  const [stored, defined] = [named(had), named(has, had.kind)]
  return stored === defined || isRelabelled(now, had) ? undefined : { kind: had.kind, stored, defined }
}

/** Units that a field of choices gives up, in words: `JPY → EUR`. */
function unitsLost(before: Field | undefined, now: Field | undefined): string | undefined {
  if (!before || !now) return undefined
  if (now.convert?.from === before.type && before.type !== now.type) return `a ${before.type} → a ${now.type}`
  const [had, gone] = [choicesIn(before), 'choicesGone' in now ? Object.entries(now.choicesGone ?? {}) : []]
  const lost = gone.filter(([choice]) => had.includes(choice))
  return lost.length > 0 ? lost.map(([choice, into]) => `${choice} → ${into ?? 'none'}`).join(', ') : undefined
}

const choicesIn = (field: Field): readonly string[] => (hasChoices(field) ? choicesOf(field) : [])

/** Fields beside a number, before and now: one of them may hold its unit. */
type Beside = { fields: Fields; fieldsBefore: Fields }

/** The change of a unit: of the number, or of the choices in the field that holds it. */
export function measureChange(
  before: Field | undefined,
  now: Field,
  { fields, fieldsBefore }: Beside,
): OtherMeasure | undefined {
  const other = otherMeasure(before, now)
  const held = measureOf(now)?.in
  if (other || !before || held === undefined || measureOf(before)?.in !== held) return other
  const holder = fields[held]
  const defined = unitsLost(holder && fieldBefore(fieldsBefore, held, holder), holder)
  return defined === undefined ? undefined : { kind: 'measure', stored: held, defined }
}

/** True where the former unit is only called otherwise: by a renamed choice, or by a conversion that names it. */
function isCalledOtherwise(holder: Field | undefined, had: unknown, has: unknown): boolean {
  if (!holder) return false
  const { values = {} } = holder.convert ?? {}
  const isRenamed = 'choicesWere' in holder && holder.choicesWere?.[String(has)] === had
  const isNamed = Object.hasOwn(values, String(had)) && values[String(had)] === has && !isCurrency(had)
  const isSpelt = String(had).trim().toLowerCase() === String(has).toLowerCase()
  return isRenamed || isNamed || isSpelt
}

/** True where a number is in the same unit as it was. `held`: the record under former names. */
export function isSameMeasure(
  one: { before: Field | undefined; held: Holder },
  now: { field: Field; record: Holder; fields: Fields },
): boolean {
  const [had, has] = [one.before && measureOf(one.before), measureOf(now.field)]
  if (!had) return true
  const [stood, stands] = [unitIn(had, one.held, {}), unitIn(has, now.record, now.fields)]
  // Amounts whose unit was never said may get one by a conversion or a filling of it.
  const isFilled = has?.in !== undefined && had.in === has.in && (stood === null || stood === undefined)
  return stood === stands || isFilled || isCalledOtherwise(now.fields[has?.in ?? ''], stood, stands)
}
