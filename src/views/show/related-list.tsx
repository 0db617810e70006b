import { useCallback, useMemo } from 'react'
import { useDefinitions, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { type RelatedTab, relationOf } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { resolveValue } from '#schema/rule.ts'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { rowOffers, tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { ListView } from '#views/list/list-view.tsx'
import type { ListSource } from '#views/list/refine-query.ts'
import { nestedPath } from '#views/shared/paths.ts'

export type RelatedListProps = { parent: AnyResource; record: Row; tab: RelatedTab; target: AnyResource }

const noNames: readonly string[] = []

/** Rows that belong to a record, with what can be done with them from here. */
export function RelatedList({ parent, record, tab, target }: RelatedListProps) {
  const sayLabel = useSay()
  const actionContext = useActionContext()
  const source = useSource(parent, record, tab)
  const place = { parent, record, target, names: tab.actions ?? noNames }
  const offers = tabOffers(place, actionContext())
  const names = tab.rowActions ?? noNames
  const offersOf = useCallback(
    (row: Row) => rowOffers({ parent, record, target, names }, row, actionContext()),
    [parent, record, target, names, actionContext],
  )
  const { opens } = tab
  const parentId = String(record.id)
  const openHref = useMemo(
    () => (opens === undefined ? undefined : (row: Row) => nestedPath(parent, parentId, opens, String(row.id))),
    [parent, parentId, opens],
  )
  return (
    <ListView
      resource={target}
      openHref={openHref}
      label={sayLabel(tab.label)}
      source={source}
      columns={tab.columns}
      rowOffers={offersOf}
      end={offers.length > 0 && <ActionButtons offers={offers} />}
    />
  )
}

/** Source of the rows: a path of the record, or matching conditions. */
function useSource(parent: AnyResource, record: Row, tab: RelatedTab): ListSource {
  const definitions = useDefinitions()
  const ruleContext = useRuleContext()
  const id = String(record.id)
  const relation = tab.from === undefined ? relationOf(parent, tab, definitions.get(tab.resource)) : undefined
  const key = JSON.stringify(
    Object.entries(relation ?? {}).map(([field, template]) => [field, resolveValue(template, record, ruleContext()) ?? null]),
  )
  return useMemo((): ListSource => {
    if (tab.from !== undefined) return { from: tab.from.replaceAll('{id}', encodeURIComponent(id)) }
    const pairs: [string, string | number | boolean | null][] = JSON.parse(key)
    return { fixed: pairs.map(([field, value]): Filter => fixedFilter(field, value)) }
  }, [tab, id, key])
}

const fixedFilter = (field: string, value: string | number | boolean | null): Filter =>
  value === null ? { field, op: 'null', values: [true] } : { field, op: 'eq', values: [value] }
