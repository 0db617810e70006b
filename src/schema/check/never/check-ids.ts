import { valueKindOf } from '#schema/check/check-values.ts'
import { type Report, withArticle } from '#schema/check/report/report.ts'
import { baseNameOf, baseOf, type Definitions, fieldOf, isRelated, type RelatedTab } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Rule } from '#schema/rule.ts'

/** The resource whose ids a field holds; undefined for a field that holds none. */
function heldBy(resource: AnyResource, path: string, all: Definitions): string | undefined {
  if (path === 'id') return baseOf(resource)
  const field = fieldOf(resource, path)
  return isReference(field) ? baseNameOf(all, field.to) : undefined
}

/** The resource whose id a template stands for. */
function meantBy(resource: AnyResource, value: unknown, all: Definitions): string | undefined {
  if (value === '$user.id') return all.has('user') ? 'user' : undefined
  return typeof value === 'string' && value.startsWith('$record.')
    ? heldBy(resource, value.slice('$record.'.length), all)
    : undefined
}

type Named = { field: string; value: unknown }

const comparisons = (rule: Rule): Named[] => {
  if ('all' in rule) return rule.all.flatMap(comparisons)
  if ('any' in rule) return rule.any.flatMap(comparisons)
  if ('not' in rule) return comparisons(rule.not)
  return [rule.value].flat().map((value) => ({ field: rule.field, value }))
}

const rulesOf = (resource: AnyResource): [string, unknown][] => [
  ...Object.entries(resource.scope ?? {}).map(([role, rule]): [string, unknown] => [`scope.${role}`, rule]),
  ...Object.entries(resource.when ?? {}).map(([verb, rule]): [string, unknown] => [`when.${verb}`, rule]),
  ...Object.entries(resource.actions ?? {}).map(([name, action]): [string, unknown] => [
    `actions.${name}.when`,
    isObject(action) ? action.when : undefined,
  ]),
]

/** Ids of two resources are never the same. */
function checkRules(report: Report, resource: AnyResource, all: Definitions): void {
  for (const [path, rule] of rulesOf(resource)) {
    if (!isObject(rule)) continue
    for (const { field, value } of comparisons(rule as Rule)) {
      const [held, meant] = [heldBy(resource, field, all), meantBy(resource, value, all)]
      if (held !== undefined && meant !== undefined && held !== meant)
        report(
          'never-equal',
          `${resource.name}.${path}`,
          `"${field}" holds the id of a "${held}", and "${String(value)}" is that of a "${meant}", so they are never equal; name a field that refers to "${meant}"`,
        )
    }
  }
}

/** Words for a value that is no id of the resource whose ids a field holds; undefined where it may be one. */
function strangeWords(resource: AnyResource, value: string, held: string, all: Definitions): string | undefined {
  const meant = meantBy(resource, value, all)
  if (meant !== undefined) return meant === held ? undefined : `that of a "${meant}"`
  const other = value.startsWith('$record.') ? fieldOf(resource, value.slice('$record.'.length)) : undefined
  const isText = other !== undefined && valueKindOf(other) === 'text' && !other.derived && !('to' in other)
  return isText ? withArticle(other.type) : undefined
}

/** Rows are matched by ids of the same resource. */
function checkMatch(report: Report, resource: AnyResource, path: string, { tab, all }: { tab: RelatedTab; all: Definitions }) {
  const target = all.get(tab.resource)
  for (const [key, value] of Object.entries(tab.match ?? {})) {
    const held = target && heldBy(target, key, all)
    const words = held && strangeWords(resource, String(value), held, all)
    if (words)
      report(
        'never-equal',
        `${path}.match.${key}`,
        `"${key}" holds the id of a "${held}", and "${String(value)}" is ${words}, so the tab has no rows; name a field that refers to "${held}"`,
      )
  }
}

/** Comparisons of ids of unlike resources, which no record fulfils. */
export function checkIds(report: Report, resource: AnyResource, all: Definitions): void {
  checkRules(report, resource, all)
  for (const [name, tab] of Object.entries(resource.tabs ?? {}))
    if (isObject(tab) && isRelated(tab)) checkMatch(report, resource, `${resource.name}.tabs.${name}`, { tab, all })
}
