import { useRuleContext, useSay } from '#fields/definitions.tsx'
import { type Filter, parseFilter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type RuleContext, resolveValue } from '#schema/rule.ts'
import { TabNav } from '#ui/layout/tab-nav.tsx'
import { viewWords } from '#views/shared/words.ts'
import type { ListQueryControl } from './use-list-query.ts'

type ViewFilters = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** The conditions of a view of the definition: `$user.id` is the viewer. */
export function viewFilters(resource: AnyResource, filters: ViewFilters, context: RuleContext): Filter[] {
  return Object.entries(filters).flatMap(([key, given]) => {
    const value = resolveValue(given, undefined, context)
    const texts = Array.isArray(value) ? value.map(String) : [String(value)]
    const parsed = parseFilter(resource, key, texts)
    return 'filter' in parsed ? [parsed.filter] : []
  })
}

const keyOf = (filters: readonly Filter[]): string =>
  filters
    .map(({ field, op, values }) => `${field} ${op} ${values.map(String).toSorted().join()}`)
    .toSorted()
    .join('&')

const everything = 'all'

/** The definition's ready-made conditions, as tabs above the list. */
export function SavedViews({ resource, query }: { resource: AnyResource; query: ListQueryControl }) {
  const sayLabel = useSay()
  const ruleContext = useRuleContext()
  const views = Object.entries(resource.list?.views ?? {})
  if (views.length === 0) return null
  const asked = keyOf(query.state.filters)
  const items = views.map(([key, { label, filters }]) => ({
    key,
    label: sayLabel(label),
    filters: viewFilters(resource, filters, ruleContext()),
  }))
  const current = asked === '' ? everything : items.find(({ filters }) => keyOf(filters) === asked)?.key
  return (
    <TabNav
      label={sayLabel(viewWords.views)}
      current={current}
      items={[{ key: everything, label: sayLabel(viewWords.all), filters: [] }, ...items].map(({ key, label, filters }) => ({
        key,
        label,
        href: query.href({ filters }),
      }))}
    />
  )
}
