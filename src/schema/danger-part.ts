import { dangersOf, type Field } from './field-types.ts'
import { isObject } from './is-object.ts'

/** True when the value itself is safety-critical; a list is so only through its entries. */
export const holdsDanger = (field: Field, value: unknown): boolean =>
  field.type !== 'list' || Boolean(field.danger) || [dangerPart(field, value)].flat().length > 0

/**
 * The safety-critical part of a value, for comparison. Entries of a list are kept whole, since their other parts say when the
 * entry applies.
 */
export function dangerPart(field: Field, value: unknown): unknown {
  if (field.danger) return value ?? null
  if (!('fields' in field)) return null
  const names = dangersOf(field.fields)
  if (field.type === 'list') {
    const entries = Array.isArray(value) ? value.filter(isObject) : []
    return entries.filter((entry) => names.some((name) => (entry[name] ?? null) !== null))
  }
  const group = isObject(value) ? value : {}
  return Object.fromEntries(
    names.flatMap((name) => {
      const part = field.fields[name]
      return part ? [[name, dangerPart(part, group[name])]] : []
    }),
  )
}
