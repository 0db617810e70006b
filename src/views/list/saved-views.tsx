import '#schema/later/list-facts.ts'
import { usePermissions, useRuleContext, useSay } from '#fields/definitions.tsx'
import { type Filter, splitKey } from '#schema/list-query.ts'
import { isReadable } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { TabNav } from '#ui/layout/tab-nav.tsx'
import { listWords } from '#views/shared/list-words.ts'
import type { ListQueryControl } from './use-list-query.ts'
import { viewFilters } from './view-filters.ts'

const keyOf = (filters: readonly Filter[]): string =>
  filters
    .map(({ field, op, values }) => `${field} ${op} ${values.map(String).toSorted().join()}`)
    .toSorted()
    .join('&')

const everything = 'all'

/** The definition's saved views as tabs, limited to the viewer's role and the fields that it may read. */
export function SavedViews({ resource, query }: { resource: AnyResource; query: ListQueryControl }) {
  const sayLabel = useSay()
  const ruleContext = useRuleContext()
  const permissions = usePermissions()
  const isOpen = (key: string) => isReadable(permissions, resource.name, splitKey(key).field)
  const { role } = ruleContext().user
  const views = Object.entries(resource.list?.views ?? {}).filter(
    ([, { filters, roles }]) => (roles?.includes(role) ?? true) && Object.keys(filters).every(isOpen),
  )
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
      label={sayLabel(listWords.views)}
      current={current}
      items={[{ key: everything, label: sayLabel(listWords.all), filters: [] }, ...items].map(({ key, label, filters }) => ({
        key,
        label,
        href: query.href({ filters }),
      }))}
    />
  )
}
