import { type MouseEvent, useRef } from 'react'
import { classes } from '#ui/theme/classes.ts'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { GridBody } from './data-grid-body.tsx'
import { GridHead } from './data-grid-head.tsx'
import { GridSkeleton } from './data-grid-skeleton.tsx'
import type { DataGridProps, GridColumn } from './data-grid-types.ts'
import { useFittedColumns } from './use-fitted-columns.ts'
import { useGridSelection } from './use-grid-selection.ts'
import { useScrollMarks } from './use-scroll-marks.ts'

const selectWidthPx = 40
const actionsWidthPx = 96

/** A table of records with links, sorting, selection, and loading, empty and error states. */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, rows, columns, rowKey, rowHref, rowTone, rowActions, onRowIntent, onSort, selection } = props
  const { busy, skeletonRows = 10, empty, density, maxHeight, isWhole = false } = props
  const words = useUiWords()
  const box = useRef<HTMLElement>(null)
  useScrollMarks(box)
  useFittedColumns(box, rows, columns, density)
  const select = useGridSelection(rows, rowKey, selection)
  const hasActions = Boolean(rowActions)
  const tableWidthPx = fixedWidth(columns, (selection ? selectWidthPx : 0) + (hasActions ? actionsWidthPx : 0))
  return (
    <section
      className={classes(
        'ui-grid',
        density && density !== 'normal' && `ui-grid-${density}`,
        busy && rows && 'ui-grid-busy',
        tableWidthPx !== undefined && 'ui-grid-fixed',
      )}
      aria-label={label}
      aria-busy={busy || !rows || undefined}
      data-boxed={maxHeight}
      // A place for the focus when the control that had it goes; a box that scrolls is a tab stop, too.
      tabIndex={-1}
      style={{ ['--grid-max-height' as string]: lengthOf(maxHeight), ['--grid-min-width' as string]: lengthOf(tableWidthPx) }}
      ref={box}
    >
      <table>
        <caption className="ui-hidden">{label}</caption>
        <colgroup>
          {selection && <col className="ui-grid-col-select" />}
          {columns.map((column) => (
            <col key={column.key} style={column.width === undefined ? undefined : { width: column.width }} />
          ))}
          {hasActions && <col className="ui-grid-col-actions" />}
        </colgroup>
        <GridHead columns={columns} onSort={onSort} selectAll={select.all} hasActions={hasActions} />
        {rows ? (
          <GridBody
            {...{ rows, columns, rowKey, rowHref, rowTone, rowActions, onRowIntent }}
            selectedKeys={selection?.keys}
            rowLabel={selection?.rowLabel}
            isSelectable={selection?.isSelectable}
            onToggle={select.toggle}
            onRowPress={followRow}
            isWhole={isWhole}
          />
        ) : (
          <GridSkeleton columns={columns} rowCount={skeletonRows} hasSelection={Boolean(selection)} hasActions={hasActions} />
        )}
      </table>
      {rows?.length === 0 && <div className="ui-grid-empty">{empty ?? words.noRows}</div>}
    </section>
  )
}

/** A click on the row, outside its controls, clicks its link with the same button and modifier keys. */
function followRow(event: MouseEvent<HTMLElement>) {
  const { target, currentTarget: row } = event
  if (!(target instanceof Element) || !row.contains(target) || target.closest('a, button, input, label, select')) return
  if (window.getSelection()?.toString()) return
  const { button, shiftKey } = event
  if (button > 1) return
  const [ctrlKey, metaKey] = [event.ctrlKey || button === 1, event.metaKey || button === 1]
  const link = row.querySelector<HTMLAnchorElement>('a[data-row-link]')
  link?.dispatchEvent(
    new window.MouseEvent('click', { bubbles: true, cancelable: true, view: window, ctrlKey, metaKey, shiftKey }),
  )
}

/** With a pixel width on every column the table layout is fixed. */
function fixedWidth<Row>(columns: readonly GridColumn<Row>[], restPx: number): number | undefined {
  const widths = columns.map((column) => column.width).filter((width) => typeof width === 'number')
  return widths.length === columns.length ? widths.reduce((sum, width) => sum + width, restPx) : undefined
}

const lengthOf = (value: number | string | undefined) => (typeof value === 'number' ? `${value}px` : value)
