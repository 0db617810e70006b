import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useMay, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fill } from '#fields/words.ts'
import type { Tone } from '#schema/field-types.ts'
import type { AnyResource, Order } from '#schema/resource.ts'
import { holds } from '#schema/rule.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import { Pagination } from '#ui/grid/pagination.tsx'
import { Card } from '#ui/layout/card.tsx'
import { type ActionOffer, isWithheld } from '#views/actions/action-offer.ts'
import { useJournalColumns } from '#views/history/use-journal-columns.tsx'
import { useWordedJournal } from '#views/history/use-worded-journal.ts'
import { LoadFailed } from '#views/screens.tsx'
import { editPath, recordPath } from '#views/shared/paths.ts'
import { useRecordPrefetch } from '#views/shared/use-record.ts'
import { useStored } from '#views/shared/use-stored.ts'
import { viewWords } from '#views/shared/words.ts'
import { ExportButton } from './export-button.tsx'
import { FilterChips } from './filter-chips.tsx'
import { ListEmpty } from './list-empty.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { OrderNote } from './order-note.tsx'
import type { ListSource } from './refine-query.ts'
import { RowMenu } from './row-menu.tsx'
import { SavedViews } from './saved-views.tsx'
import { shownSort, sortAfter, useColumnChoice, useGridColumns } from './use-columns.tsx'
import { type ListQueryControl, useListQuery } from './use-list-query.ts'
import { useListRows } from './use-list-rows.ts'
import { useRowTitle } from './use-row-title.ts'
import { type Selection, useSelection } from './use-selection.ts'

const FacetChips = lazy(() => import('./facet-chips.tsx').then((module) => ({ default: module.FacetChips })))
const BulkBar = lazy(() => import('#views/bulk/bulk-bar.tsx').then((module) => ({ default: module.BulkBar })))

export type ListViewProps = {
  resource: AnyResource
  /** Names the table. */
  label: string
  /** Rows of somewhere else than the resource's own list. Keep it stable. */
  source?: ListSource | undefined
  columns?: readonly string[] | undefined
  /** Target of a row, if not its own page. Keep it stable. */
  openHref?: ((row: Row) => string) | undefined
  /** Actions of a row. Keep it stable. */
  rowOffers: (row: Row) => readonly ActionOffer[]
  onEdit?: boolean | undefined
  onDelete?: ((row: Row) => void) | undefined
  hasBulk?: boolean | undefined
  create?: ReactNode
  /** Content above the list; it receives the total. */
  head?: ((total: number | undefined) => ReactNode) | undefined
  /** Beside the filters. */
  end?: ReactNode
  hasViews?: boolean | undefined
}

const rowKey = (row: Row) => String(row.id)

/** A table of records with its search, filters, columns, paging and states. */
export function ListView({ resource, label, source, columns: own, ...props }: ListViewProps) {
  const sayLabel = useSay()
  const worded = useWordedJournal(resource)
  const query = useListQuery(resource)
  const { state, change, href } = query
  const { query: list, rows, total, prefetch } = useListRows(resource.name, state, source)
  const choice = useColumnChoice(resource, own, state.columns)
  const rowHref = useRowHref(resource, props.openHref)
  const columns = useJournalColumns(resource, useGridColumns(choice, state.sort, rowHref !== undefined))
  const [density, setDensity] = useStored('density')
  const selection = useSelection(rows)
  const rowTone = useRowTone(resource)
  const prefetchRecord = useRecordPrefetch(resource.name)
  const onRowIntent = useCallback((row: Row) => prefetchRecord(rowKey(row)), [prefetchRecord])
  const rowTitle = useRowTitle(resource)
  const rowActions = useRowActions(resource, { ...props, rowTitle })
  const handleSort = (path: string, next: Order | undefined, isAdded: boolean) =>
    change({ sort: sortAfter(shownSort(resource, state.sort), path, next, isAdded) })
  const chooseColumns = (paths: readonly string[] | undefined) => {
    choice.remember(paths)
    change({ columns: paths }, { replace: true })
  }
  const clear = () => change({ filters: [], q: '' })
  const gridSelection = useMemo(
    () => ({ keys: selection.keys, onChange: selection.set, rowLabel: rowTitle }),
    [selection.keys, selection.set, rowTitle],
  )
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
              <ExportButton resource={resource} asked={state} source={source} columns={choice.shown} />
            </>
          }
          view={{
            choice,
            onColumns: chooseColumns,
            density: density === 'compact' ? 'compact' : 'normal',
            onDensity: setDensity,
          }}
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
        <FilterChips resource={worded.told} filters={state.filters} onChange={(filters) => change({ filters })} />
        {query.dropped.length > 0 && (
          <Banner tone="warn">{fill(sayLabel(viewWords.dropped), { names: query.dropped.join(', ') })}</Banner>
        )}
        {list.error && <Banner tone="bad">{sayLabel(viewWords.failedTitle)}</Banner>}
        <OrderNote resource={resource} query={query} />
        {props.hasBulk && <LazyBulkBar {...{ resource, selection, total, source }} asked={state} />}
        <DataGrid
          label={label}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          rowHref={rowHref}
          rowTone={rowTone}
          rowActions={rowActions}
          onRowIntent={rowHref && onRowIntent}
          onSort={handleSort}
          selection={props.hasBulk ? gridSelection : undefined}
          busy={list.isPlaceholderData}
          skeletonRows={Math.min(state.limit, 25)}
          density={density === 'compact' ? 'compact' : 'normal'}
          empty={
            <ListEmpty
              total={total ?? 0}
              hasConditions={state.filters.length > 0 || state.q !== ''}
              firstPageHref={href({ page: 1 })}
              onClear={clear}
              create={props.create}
            />
          }
        />
        <Pagination
          page={state.page}
          pageSize={state.limit}
          total={total}
          href={(page) => href({ page })}
          onPageSizeChange={(limit) => change({ limit })}
          onPageIntent={(page) => void prefetch(page)}
        />
      </Card>
    </div>
  )
}

type LazyBulkBarProps = {
  resource: AnyResource
  selection: Selection
  total: number | undefined
  source: ListSource | undefined
  asked: ListQueryControl['state']
}

/** Loaded with the first tick, and kept then: it shows results after the selection is gone. */
function LazyBulkBar(props: LazyBulkBarProps) {
  const [isUsed, setUsed] = useState(false)
  if (!isUsed && props.selection.keys.size > 0) setUsed(true)
  return (
    isUsed && (
      <Suspense fallback={null}>
        <BulkBar {...props} />
      </Suspense>
    )
  )
}

/** Target of a row, where the viewer may open it. */
function useRowHref(resource: AnyResource, own: ListViewProps['openHref']): ((row: Row) => string) | undefined {
  const may = useMay()
  const canOpen = may(resource.name, 'show')
  const open = useCallback((row: Row) => recordPath(resource, rowKey(row)), [resource])
  return canOpen ? (own ?? open) : undefined
}

function useRowTone(resource: AnyResource): ((row: Row) => Tone | undefined) | undefined {
  const ruleContext = useRuleContext()
  return useMemo(() => {
    const rules = Object.entries(resource.list?.tone ?? {})
    if (rules.length === 0) return undefined
    return (row) => rules.find(([, rule]) => holds(rule, row, ruleContext()))?.[0] as Tone | undefined
  }, [resource, ruleContext])
}

type RowActionsOptions = Pick<ListViewProps, 'rowOffers' | 'onEdit' | 'onDelete'> & { rowTitle: (row: Row) => string }

function useRowActions(resource: AnyResource, { rowTitle, rowOffers, onEdit, onDelete }: RowActionsOptions) {
  return useCallback(
    (row: Row) => {
      const withheld = isWithheld(resource, row)
      return (
        <RowMenu
          row={row}
          offers={rowOffers}
          editHref={onEdit && !withheld ? editPath(resource, rowKey(row)) : undefined}
          onDelete={withheld ? undefined : onDelete}
          title={rowTitle(row)}
        />
      )
    },
    [resource, rowTitle, rowOffers, onEdit, onDelete],
  )
}
