import { useMemo } from 'react'
import { useDefinitions, useRuleContext } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { type RelatedTab, relationFilters, relationOf } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { ListSource } from '#views/list/refine-query.ts'

/** Source of related rows: a path of the record, or filters. Undefined where nothing can match. */
export function useRelatedSource(parent: AnyResource, record: Row, tab: RelatedTab): ListSource | undefined {
  const definitions = useDefinitions()
  const ruleContext = useRuleContext()
  const id = String(record.id)
  const relation = tab.from === undefined ? relationOf(parent, tab, definitions.get(tab.resource)) : undefined
  const filters = relation && relationFilters(relation, record, ruleContext())
  const key = JSON.stringify(filters ?? null)
  return useMemo((): ListSource | undefined => {
    if (tab.from !== undefined) return { from: tab.from.replaceAll('{id}', encodeURIComponent(id)) }
    const fixed: readonly Filter[] | null = JSON.parse(key)
    return fixed ? { fixed } : undefined
  }, [tab, id, key])
}
