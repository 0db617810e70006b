import type { Row } from '#fields/field-kind.ts'
import { type Fields, traitsOf } from '#schema/field-types.ts'
import { valueAt } from '#schema/rule.ts'
import { defaultValues, type Values } from '#views/form/form-values.ts'

/** Initial values of an action's form: the answer of its `from`, else the record's values, else defaults. */
export function startValues(fields: Fields, from: unknown, record: Row | undefined): Values {
  const defaults = defaultValues(fields)
  const known = Object.keys(fields).map((name) => [name, valueAt(from ?? record, name) ?? defaults[name] ?? null])
  return Object.fromEntries(known)
}

/** Values to send: an input that was and is empty is omitted where empty has no meaning. */
export function valuesToSend(fields: Fields, base: Values, values: Values): Record<string, unknown> {
  const entries = Object.entries(fields).filter(
    ([name, field]) => values[name] !== null || base[name] !== null || !traitsOf(field).emptyIsNothing,
  )
  return Object.fromEntries(entries.map(([name]) => [name, values[name]]))
}
