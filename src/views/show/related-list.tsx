import { useCallback, useMemo } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { RelatedTab } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Card } from '#ui/layout/card.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { type ActionOffer, rowOffers, tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { ListView } from '#views/list/list-view.tsx'
import { nestedPath } from '#views/shared/paths.ts'
import { viewWords } from '#views/shared/words.ts'
import { useRelatedSource } from './use-related-source.ts'

export type RelatedListProps = { parent: AnyResource; record: Row; tab: RelatedTab; target: AnyResource }

const noNames: readonly string[] = []

/** Rows that belong to a record, with what can be done with them from here. */
export function RelatedList({ parent, record, tab, target }: RelatedListProps) {
  const sayLabel = useSay()
  const actionContext = useActionContext()
  const source = useRelatedSource(parent, record, tab)
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
