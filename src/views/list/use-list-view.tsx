import '#schema/later/list-facts.ts'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useMay, useRuleContext } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { EmptyList } from '#schema/facts/empty-facts.ts'
import type { Tone } from '#schema/field-types.ts'
import type { Sort } from '#schema/list-query.ts'
import type { AnyResource, Order } from '#schema/resource.ts'
import { holds } from '#schema/rule.ts'
import { useNarrow } from '#ui/layout/use-narrow.ts'
import { type ActionOffer, isChangeable } from '#views/actions/action-offer.ts'
import { useCardColumns } from '#views/cards/use-card-columns.tsx'
import { useJournalColumns } from '#views/history/use-journal-columns.tsx'
import { useWordedJournal } from '#views/history/use-worded-journal.ts'
import { editPath, recordPath } from '#views/shared/paths.ts'
import { useRecordPrefetch } from '#views/shared/use-record.ts'
import { useSame } from '#views/shared/use-same.ts'
import { useStoredSetting } from '#views/shared/use-stored-setting.ts'
import type { ListSource } from './refine-query.ts'
import { RowMenu } from './row-menu.tsx'
import { shownSort, sortAfter, useColumnChoice, useGridColumns } from './use-columns.tsx'
import { useListQuery } from './use-list-query.ts'
import { useListRows } from './use-list-rows.ts'
import { useRowTitle } from './use-row-title.ts'
import { useSelection } from './use-selection.ts'

export type ListViewProps = {
  resource: AnyResource
  /** Accessible name of the table. */
  label: string
  /** Source other than the resource's own list. Keep it stable. */
  source?: ListSource | undefined
  columns?: readonly string[] | undefined
  /** Link of a row, if not its own page. Keep it stable. */
  openHref?: ((row: Row) => string) | undefined
  /** Keep it stable. */
  rowOffers: (row: Row) => readonly ActionOffer[]
  onEdit?: boolean | undefined
  onDelete?: ((row: Row, after: () => void) => void) | undefined
  hasBulk?: boolean | undefined
  create?: ReactNode
  /** Texts of the empty list; default: those of the resource. */
  empty?: EmptyList | undefined
  /** Content above the list; it receives the total. */
  head?: ((total: number | undefined) => ReactNode) | undefined
  /** Beside the filters. */
  end?: ReactNode
  hasViews?: boolean | undefined
}

const rowKey = (row: Row) => String(row.id)

/** Controller of a list: query, rows, columns, selection and row actions. The view only renders. */
export function useListView({ resource, source, columns: own, ...props }: ListViewProps) {
  const worded = useWordedJournal(resource)
  const query = useListQuery(resource)
  const { state, change } = query
  const { query: list, rows, total, prefetch } = useListRows(resource.name, state, source)
  const [sort, asked] = [useSame(state.sort), useSame(state.columns)]
  const choice = useColumnChoice(resource, own, asked)
  const rowHref = useRowHref(resource, props.openHref)
  const isNarrow = useNarrow()
  const linked = rowHref ? (isNarrow ? 'all' : 'first') : 'none'
  const wide = useJournalColumns(resource, useGridColumns(resource, choice, sort, linked))
  const order = useCallback((sort: readonly Sort[]) => change({ sort }), [change])
  const cards = useCardColumns({ resource, columns: wide, shown: choice.shown, sort, onSort: order, opens: Boolean(rowHref) })
  const [stored, setDensity] = useStoredSetting('density')
  const isReturn = useIsReturn()
  const selection = useSelection(rows, JSON.stringify([state.filters, state.q]))
  const rowTone = useRowTone(resource)
  const prefetchRecord = useRecordPrefetch(resource.name)
  const onRowIntent = useCallback((row: Row) => prefetchRecord(rowKey(row)), [prefetchRecord])
  const rowTitle = useRowTitle(resource)
  const rowActions = useRowActions(resource, { ...props, rowTitle, drop: selection.drop })
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
  // Staff work in lists all day: compact density by default, unless this device stores another choice.
  const density: 'compact' | 'normal' = stored === 'normal' ? 'normal' : 'compact'
  return {
    worded,
    query,
    list,
    rows,
    total,
    prefetch,
    selection,
    /** The columns on screen and how they are chosen. */
    view: { choice, onColumns: chooseColumns, density, onDensity: setDensity },
    clear,
    grid: {
      rows,
      columns: isNarrow ? cards : wide,
      rowKey,
      rowHref,
      rowTone,
      rowActions,
      onRowIntent: rowHref && onRowIntent,
      onSort: handleSort,
      selection: props.hasBulk ? gridSelection : undefined,
      busy: list.isPlaceholderData,
      skeletonRows: Math.min(state.limit, 25),
      density: isNarrow ? ('cards' as const) : density,
      isWhole: isReturn,
    },
  }
}

/** True on a page that was left before, to which the browser scrolls back; the first one of a tab is not. */
function useIsReturn(): boolean {
  const { key } = useLocation()
  return useNavigationType() === 'POP' && key !== 'default'
}

/** Link of a row, for viewers who may see its record. */
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

type RowActionsOptions = Pick<ListViewProps, 'rowOffers' | 'onEdit' | 'onDelete'> & {
  rowTitle: (row: Row) => string
  drop: (keys: string[]) => void
}

function useRowActions(resource: AnyResource, { rowTitle, rowOffers, onEdit, onDelete, drop }: RowActionsOptions) {
  const ruleContext = useRuleContext()
  return useCallback(
    (row: Row) => {
      const can = (verb: 'edit' | 'delete') => isChangeable(resource, verb, row, ruleContext())
      return (
        <RowMenu
          row={row}
          offers={rowOffers}
          editHref={onEdit && can('edit') ? editPath(resource, rowKey(row)) : undefined}
          onDelete={onDelete && can('delete') ? () => onDelete(row, () => drop([rowKey(row)])) : undefined}
          title={rowTitle(row)}
        />
      )
    },
    [resource, rowTitle, rowOffers, onEdit, onDelete, drop, ruleContext],
  )
}
