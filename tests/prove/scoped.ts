import { allFields } from '#schema/definition.ts'
import { isMany } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Rule, type RuleContext, resolveValue } from '#schema/rule.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import type { Json } from './proven.ts'

type Told = Rule & { field: string }
const told = (rule: Rule): Told[] => {
  if ('all' in rule) return rule.all.flatMap(told)
  if ('any' in rule) return rule.any.slice(0, 1).flatMap(told)
  return 'not' in rule ? [] : [rule]
}

/** Fields that a rule asks to be filled. */
export const filledBy = (rule: Rule): string[] =>
  told(rule).flatMap((one) => ('op' in one && one.op === 'null' && one.value === false ? [one.field] : []))

/** Stored values by which a record is one of those that a role sees: what its scope names, as far as it names values. */
export function valuesInScope(of: AnyResource, rule: Rule, context: RuleContext): Json {
  const fields = allFields(of)
  const values = told(rule).flatMap((one): [string, unknown][] => {
    const field = Object.hasOwn(fields, one.field) ? fields[one.field] : undefined
    if (!('op' in one) || !field || !isStored(field) || (one.op !== 'eq' && one.op !== 'in')) return []
    const value = resolveValue(one.value, undefined, context)
    const single = Array.isArray(value) ? value[0] : value
    if (!['string', 'number', 'boolean'].includes(typeof single)) return []
    return [[one.field, isMany(field) ? [single] : single]]
  })
  return Object.fromEntries(values)
}
