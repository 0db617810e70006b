import { Suspense } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import { Pagination } from '#ui/grid/pagination.tsx'
import { Card } from '#ui/layout/card.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { lazyWhenIdle } from '#ui/layout/when-idle.ts'
import type { ListKeysProps } from '#views/keys/list-keys.tsx'
import { LoadFailed } from '#views/screens.tsx'
import { listWords } from '#views/shared/list-words.ts'
import { viewWords } from '#views/shared/words.ts'
import { ExportButton } from './export-button.tsx'
import { LazyBulkBar } from './lazy-bulk-bar.tsx'
import { ListEmpty } from './list-empty.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { OrderNote } from './order-note.tsx'
import { SavedViews } from './saved-views.tsx'
import { type ListViewProps, useListView } from './use-list-view.tsx'

const FacetChips = lazyCode(() => import('./facet-chips.tsx').then((module) => ({ default: module.FacetChips })))
const FilterChips = lazyCode(() => import('./filter-chips.tsx').then((module) => ({ default: module.FilterChips })))
const ListKeys = lazyWhenIdle<ListKeysProps>(() =>
  import('#views/keys/list-keys.tsx').then((module) => ({ default: module.ListKeys })),
)

/** A table of records with its search, filters, columns, paging and states. */
export function ListView(props: ListViewProps) {
  const { resource, label, source } = props
  const sayLabel = useSay()
  const { worded, query, list, rows, total, prefetch, selection, view, clear, grid } = useListView(props)
  const { state, change, href } = query
  if (list.error && !rows)
    return (
      <>
        {props.head?.(undefined)}
        <LoadFailed asPage={false} error={list.error} onRetry={() => void list.refetch()} />
      </>
    )
  return (
    <div className="view-list">
      {props.head?.(total)}
      {props.hasViews && <SavedViews resource={resource} query={query} />}
      <Card flush>
        <ListToolbar
          resource={worded.offered}
          fixed={source?.fixed}
          query={query}
          end={
            <>
              {props.end}
              <ExportButton resource={resource} asked={state} source={source} columns={view.choice.shown} />
            </>
          }
          view={view}
        />
        {resource.list?.facet && !source?.from && (
          <Suspense fallback={<div className="view-facet" />}>
            <FacetChips
              facet={resource.list.facet}
              {...{ resource, state, source }}
              onChange={(filters) => change({ filters })}
            />
          </Suspense>
        )}
        {state.filters.length > 0 && (
          <Suspense fallback={<div className="view-chips" />}>
            <FilterChips resource={worded.chips} filters={state.filters} onChange={(filters) => change({ filters })} />
          </Suspense>
        )}
        {query.dropped.length > 0 && (
          <Banner tone="warn">{sayLabel(listWords.dropped, { names: query.dropped.join(', ') })}</Banner>
        )}
        {list.error && <Banner tone="bad">{sayLabel(viewWords.failedTitle)}</Banner>}
        <OrderNote resource={resource} query={query} />
        {props.hasBulk && <LazyBulkBar {...{ resource, selection, total, source }} asked={state} columns={view.choice.shown} />}
        <DataGrid
          label={label}
          {...grid}
          empty={
            <ListEmpty
              total={total ?? 0}
              hasConditions={state.filters.length > 0 || state.q !== ''}
              answered={list.isPlaceholderData ? undefined : JSON.stringify([state.filters, state.q])}
              firstPageHref={href({ page: 1 })}
              onClear={clear}
              words={props.empty ?? resource.list?.empty}
              create={props.create}
            />
          }
        />
        {total !== 0 && (
          <Pagination
            page={state.page}
            pageSize={state.limit}
            total={total}
            href={(page) => href({ page })}
            onPageSizeChange={(limit) => change({ limit })}
            onPageIntent={(page) => void prefetch(page)}
          />
        )}
      </Card>
      <Suspense fallback={null}>
        <ListKeys
          {...{ resource, rows }}
          rowOffers={props.rowOffers}
          hasSelection={Boolean(props.hasBulk)}
          selected={selection.keys.size}
        />
      </Suspense>
    </div>
  )
}
