import { dangersOf, type Field } from './field-types.ts'
import { isObject } from './is-object.ts'

/** True of a value that can hurt as it is: a list does by its entries only. */
export const holdsDanger = (field: Field, value: unknown): boolean =>
  field.type !== 'list' || Boolean(field.danger) || [dangerIn(field, value)].flat().length > 0

/**
 * The part of a value that can hurt, for comparison: of a list the entries with something dangerous in them, whole, since the rest of
 * such an entry says when it holds.
 */
export function dangerIn(field: Field, value: unknown): unknown {
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
      return part ? [[name, dangerIn(part, group[name])]] : []
    }),
  )
}
