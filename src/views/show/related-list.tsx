import { useCallback, useMemo } from 'react'
import { useDefinitions, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { type RelatedTab, relationFilters, relationOf } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Card } from '#ui/layout/card.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { type ActionOffer, rowOffers, tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { ListView } from '#views/list/list-view.tsx'
import type { ListSource } from '#views/list/refine-query.ts'
import { nestedPath } from '#views/shared/paths.ts'
import { viewWords } from '#views/shared/words.ts'

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
  if (!source) return <NoRows offers={offers} />
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

function NoRows({ offers }: { offers: readonly ActionOffer[] }) {
  const sayLabel = useSay()
  return (
    <Card>
      <EmptyState
        icon="list"
        title={sayLabel(viewWords.emptyTitle)}
        action={offers.length > 0 && <ActionButtons offers={offers} />}
      />
    </Card>
  )
}

/** Source of the rows: a path of the record, or matching conditions. Undefined where nothing can match. */
function useSource(parent: AnyResource, record: Row, tab: RelatedTab): ListSource | undefined {
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
