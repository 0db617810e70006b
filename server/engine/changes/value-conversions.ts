import { convert } from '#schema/conversions.ts'
import { type Field, traitsOf } from '#schema/field-types.ts'
import { isAbsent } from '#schema/form/is-empty.ts'
import { resolveValue } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import type { FieldCheck } from './table-checks.ts'

/** Result of a conversion: a changed value, the same, or none that the field accepts. `isReplaced`: by `otherwise`. */
export type Converted = { value: unknown; isChanged: boolean; isLost: boolean; fits: boolean; isReplaced?: boolean }
export type Conversion = (value: unknown, row: Row) => Converted

const unchanged = (value: unknown): Converted => ({ value, isChanged: false, isLost: false, fits: true })
const changed = (value: unknown, isLost: boolean): Converted => ({ value, isChanged: true, isLost, fits: true })

/** Converts every value to the new type; the old one is archived. */
function typeConversion({ kind, field }: FieldCheck): Conversion {
  const { convert: facts, type } = field
  const schema = valueSchema(field)
  const fitting = (value: unknown): { value: unknown } | undefined => {
    if (value === null) return { value }
    const result = value === undefined ? undefined : schema.safeParse(value)
    return result?.success ? { value: result.data } : undefined
  }
  return (value) => {
    if (isAbsent(value) || !facts) return unchanged(null)
    const own = fitting(convert(facts, type, value))
    const found = own ?? fitting(facts.otherwise)
    if (!found) return { ...unchanged(null), fits: false }
    const isSame = kind !== 'type' && JSON.stringify(found.value) === JSON.stringify(value)
    return isSame ? unchanged(value) : { ...changed(found.value, true), isReplaced: !own }
  }
}

/** Renamed and replaced choices. A replaced value is archived; a renamed one has the same meaning. */
function choices(field: Field): Conversion {
  const { choicesWere = {}, choicesGone = {} } = 'choicesWere' in field || 'choicesGone' in field ? field : {}
  const renamed = new Map(Object.entries(choicesWere).map(([now, before]) => [before, now]))
  const one = (value: unknown) => {
    const key = String(value)
    if (renamed.has(key)) return changed(renamed.get(key), false)
    return Object.hasOwn(choicesGone, key) ? changed(choicesGone[key] ?? null, true) : unchanged(value)
  }
  return (value) => {
    if (isAbsent(value)) return unchanged(null)
    if (!Array.isArray(value)) return one(value)
    const items = value.map(one)
    if (!items.some(({ isChanged }) => isChanged)) return unchanged(value)
    const left = [...new Set(items.map((item) => item.value).filter((item) => !isAbsent(item)))]
    return changed(
      left,
      items.some(({ isLost }) => isLost),
    )
  }
}

/** Fills an empty value; a day for a date field. */
function backfill(field: Field, now: string): Conversion {
  const schema = valueSchema(field)
  return (value, row) => {
    if (!isAbsent(value)) return unchanged(value)
    const found = resolveValue(field.backfill, row, { user: { id: '', role: 'admin' }, now })
    const inForm = field.type === 'date' && typeof found === 'string' ? found.slice(0, 10) : found
    const result = isAbsent(inForm) ? undefined : schema.safeParse(inForm)
    return result?.success ? changed(result.data, false) : unchanged(null)
  }
}

export type ConversionKind = 'convert' | 'choices' | 'backfill'

/** True when the values have the conversion's source type, by the former definition or by their column. */
const isFrom = ({ field, stored }: FieldCheck) =>
  field.convert !== undefined && (stored === field.convert.from || stored === traitsOf({ type: field.convert.from }).column)

/** The conversion that a field's definition declares for a check. */
export function conversionOf(check: FieldCheck, now: string): { kind: ConversionKind; conversion: Conversion } | undefined {
  const { kind, field } = check
  if (isFrom(check)) return { kind: 'convert', conversion: typeConversion(check) }
  if ((kind === 'choice' || kind === 'value') && ('choicesWere' in field || 'choicesGone' in field))
    return { kind: 'choices', conversion: choices(field) }
  return kind === 'required' && field.backfill !== undefined
    ? { kind: 'backfill', conversion: backfill(field, now) }
    : undefined
}
