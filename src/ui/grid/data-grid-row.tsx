import { type MouseEvent, memo } from 'react'
import { Link } from '#ui/layout/link.tsx'
import { fillWord, useUiWords } from '#ui/theme/ui-words.tsx'
import type { GridColumn, GridRowProps, GridSelection } from './data-grid-types.ts'

type RowProps<Row> = GridRowProps<Row> & {
  row: Row
  /** `undefined`: the grid has no selection. */
  isSelected: boolean | undefined
  isFixed: boolean
  rowLabel: GridSelection<Row>['rowLabel'] | undefined
  onToggle: (key: string, isOn: boolean, isRange: boolean) => void
  onRowPress: (event: MouseEvent<HTMLElement>) => void
}

function Row<Row>({ row, columns, rowKey, rowHref, rowTone, rowActions, onRowIntent, onRowPress, ...select }: RowProps<Row>) {
  const href = rowHref?.(row)
  // A card fills its row, and is the header of no other cell.
  const hasOthers = columns.length > 1
  return (
    <tr
      data-tone={rowTone?.(row)}
      data-selected={select.isSelected || undefined}
      data-link={href !== undefined || undefined}
      onClick={href === undefined ? undefined : onRowPress}
      onMouseDown={href === undefined ? undefined : holdScroll}
      onAuxClick={href === undefined ? undefined : onRowPress}
      onPointerEnter={onRowIntent && (() => onRowIntent(row))}
      onFocus={onRowIntent && (() => onRowIntent(row))}
    >
      {select.isSelected !== undefined && <SelectCell row={row} rowKey={rowKey} {...select} isSelected={select.isSelected} />}
      {columns.map((column, index) => (
        <Cell key={column.key} {...{ column, row }} href={index === 0 ? href : undefined} isHeader={index === 0 && hasOthers} />
      ))}
      {rowActions && (
        <td className="ui-grid-actions">
          <div>{rowActions(row)}</div>
        </td>
      )}
    </tr>
  )
}

/** The middle button would start autoscroll in some browsers. */
const holdScroll = (event: MouseEvent) => {
  if (event.button === 1) event.preventDefault()
}

export const GridRow = memo(Row) as typeof Row

type CellProps<Row> = { column: GridColumn<Row>; row: Row; href: string | undefined; isHeader: boolean }

/** The first cell names its row: screen readers read it in every column. */
function Cell<Row>({ column, row, href, isHeader }: CellProps<Row>) {
  const content = column.cell(row)
  const [Tag, scope] = isHeader ? (['th', 'row'] as const) : (['td', undefined] as const)
  return (
    <Tag scope={scope} data-align={column.align} data-wrap={column.wrap || undefined} data-kept={column.kept || undefined}>
      {href === undefined ? (
        content
      ) : (
        <Link href={href} className="ui-grid-link" data-row-link="">
          {content}
        </Link>
      )}
      {column.under?.(row)}
    </Tag>
  )
}

type SelectCellProps<Row> = Pick<RowProps<Row>, 'row' | 'rowKey' | 'isFixed' | 'rowLabel' | 'onToggle'> & {
  isSelected: boolean
}

function SelectCell<Row>({ row, rowKey, isSelected, isFixed, rowLabel, onToggle }: SelectCellProps<Row>) {
  const words = useUiWords()
  const handleChange = (isOn: boolean, isRange: boolean) => onToggle(rowKey(row), isOn, isRange)
  return (
    <td className="ui-grid-select">
      <label className="ui-check">
        <input
          type="checkbox"
          checked={isSelected}
          disabled={isFixed}
          aria-label={fillWord(words.selectRow, { row: rowLabel?.(row) ?? rowKey(row) })}
          onChange={(event) => handleChange(event.target.checked, isShiftHeld(event.nativeEvent))}
        />
      </label>
    </td>
  )
}

const isShiftHeld = (event: Event) => 'shiftKey' in event && event.shiftKey === true
