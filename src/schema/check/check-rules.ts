import { allFields } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { ruleOps } from '#schema/rule.ts'
import type { Report } from './report.ts'

const pathsIn = (fields: Fields, prefix: string): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    return field.type === 'group' && isObject(field.fields) ? [path, ...pathsIn(field.fields, `${path}.`)] : [path]
  })

/** Every field path of a definition, groups looked into, the system's included. */
export const allPaths = (resource: AnyResource): string[] => pathsIn(allFields(resource), '')

/** A rule of any depth: its form, its operators and the fields it reads. */
export function checkRule(
  report: Report,
  resource: AnyResource,
  path: string,
  rule: unknown,
  paths = allPaths(resource),
): void {
  if (!isObject(rule)) return report('bad-rule', path, 'a rule is { field, op, value } or { all | any | not }')
  for (const word of ['all', 'any'] as const) {
    const parts = rule[word]
    if (parts === undefined) continue
    if (!Array.isArray(parts)) return report('bad-rule', `${path}.${word}`, 'expected a list of rules')
    for (const [index, part] of parts.entries()) checkRule(report, resource, `${path}.${word}[${index}]`, part, paths)
    return
  }
  if (rule.not !== undefined) return checkRule(report, resource, `${path}.not`, rule.not, paths)
  if (typeof rule.field !== 'string' || rule.value === undefined)
    return report('bad-rule', path, 'a rule is { field, op, value } or { all | any | not }')
  if (!paths.includes(rule.field))
    report('unknown-rule-field', `${path}.field`, `there is no field "${rule.field}"`, { word: rule.field, among: paths })
  if (!ruleOps.some((op) => op === rule.op))
    report('unknown-operator', `${path}.op`, `there is no operator "${String(rule.op)}"`, {
      word: String(rule.op),
      among: ruleOps,
    })
  checkValues(report, `${path}.value`, rule.value, paths)
}

function checkValues(report: Report, path: string, values: unknown, paths: readonly string[]): void {
  for (const value of Array.isArray(values) ? values : [values]) {
    if (typeof value !== 'string' || !value.startsWith('$') || ['$now', '$user.id', '$user.role'].includes(value)) continue
    const known = value.startsWith('$record.') && paths.includes(value.slice('$record.'.length))
    if (!known) report('unknown-value', path, `"${value}" stands for nothing`)
  }
}
