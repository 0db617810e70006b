import { filterTime } from '#schema/facts/relative-times.ts'
import { type Filter, parseFilter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type RuleContext, resolveValue } from '#schema/rule.ts'

type ViewFilters = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** Filters of a saved view, with templates resolved: `$user.id` is the viewer, `$today+30d` a day. */
export function viewFilters(resource: AnyResource, filters: ViewFilters, context: RuleContext): Filter[] {
  return Object.entries(filters).flatMap(([key, given]) => {
    const value = filterTime(resource, key, given, new Date(context.now)) ?? resolveValue(given, undefined, context)
    const texts = Array.isArray(value) ? value.map(String) : [String(value)]
    const parsed = parseFilter(resource, key, texts)
    return 'filter' in parsed ? [parsed.filter] : []
  })
}
