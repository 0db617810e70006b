import { Suspense, useCallback, useMemo } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { RelatedTab } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Card } from '#ui/layout/card.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { type ActionOffer, rowOffers, tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { ListView } from '#views/list/list-view.tsx'
import { listWords } from '#views/shared/list-words.ts'
import { nestedPath } from '#views/shared/paths.ts'
import { TabVerbs } from './tab-verbs.tsx'
import { useFocusNewRow } from './use-focus-new-row.ts'
import { useLinkOffers } from './use-link-offers.ts'
import { useRelatedSource } from './use-related-source.ts'

const BulkResults = lazyCode(() => import('#views/bulk/bulk-results.tsx').then((module) => ({ default: module.BulkResults })))

export type RelatedListProps = { parent: AnyResource; record: Row; name: string; tab: RelatedTab; target: AnyResource }

const noNames: readonly string[] = []

export function RelatedList({ parent, record, name, tab, target }: RelatedListProps) {
  const sayLabel = useSay()
  const actionContext = useActionContext()
  useFocusNewRow()
  const source = useRelatedSource(parent, record, tab)
  const parentId = String(record.id)
  const place = useMemo(() => ({ parent, tab, id: parentId, name }), [parent, tab, parentId, name])
  const { head, ofRow, report, dismiss } = useLinkOffers(place, target, record)
  const ownOffers = tabOffers({ parent, record, target, names: tab.actions ?? noNames }, actionContext())
  const offers = [...ownOffers, ...head]
  const names = tab.rowActions ?? noNames
  const offersOf = useCallback(
    (row: Row) => [...rowOffers({ parent, record, target, names }, row, actionContext()), ...ofRow(row)],
    [parent, record, target, names, actionContext, ofRow],
  )
  const { opens } = tab
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
      empty={tab.empty}
      rowOffers={offersOf}
      end={
        <>
          {offers.length > 0 && <ActionButtons offers={offers} />}
          <TabVerbs place={place} target={target} />
          {report && (
            <Suspense fallback={null}>
              <BulkResults resource={target} {...report} onClose={dismiss} />
            </Suspense>
          )}
        </>
      }
    />
  )
}

function NoRows({ offers }: { offers: readonly ActionOffer[] }) {
  const sayLabel = useSay()
  return (
    <Card>
      <EmptyState
        icon="list"
        title={sayLabel(listWords.emptyTitle)}
        action={offers.length > 0 && <ActionButtons offers={offers} />}
      />
    </Card>
  )
}
