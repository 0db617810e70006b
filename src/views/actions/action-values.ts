import type { Row } from '#fields/field-kind.ts'
import { type Fields, traitsOf } from '#schema/field-types.ts'
import { ownRows } from '#schema/form/own-rows.ts'
import type { Action } from '#schema/resource.ts'
import { type RuleContext, resolveValue, valueAt } from '#schema/rule.ts'
import { defaultValues, type Values } from '#views/form/form-values.ts'

export type Start = { from: unknown; record: Row | undefined; start?: Action['start'] | undefined; context: RuleContext }

/** Initial values of an action's form, by precedence: the `from` answer, the record's values, `start`, defaults. */
export function startValues(fields: Fields, { from, record, start = {}, context }: Start): Values {
  const defaults = defaultValues(fields, context, record)
  const first = (name: string) => valueAt(from ?? record, name) ?? resolveValue(start[name], record, context)
  const known = Object.entries(fields).map(([name, field]) => [name, ownRows(field, first(name)) ?? defaults[name] ?? null])
  return Object.fromEntries(known)
}

/** Values to send: an input that was and still is empty is omitted where empty has no meaning. */
export function valuesToSend(fields: Fields, base: Values, values: Values): Record<string, unknown> {
  const entries = Object.entries(fields).filter(
    ([name, field]) => values[name] !== null || base[name] !== null || !traitsOf(field).emptyIsNothing,
  )
  return Object.fromEntries(entries.map(([name]) => [name, values[name]]))
}
