import { type MouseEvent, memo, useDeferredValue, useState } from 'react'
import { GridRow } from './data-grid-row.tsx'
import type { GridRowProps, GridSelection } from './data-grid-types.ts'

type GridBodyProps<Row> = GridRowProps<Row> & {
  rows: readonly Row[]
  selectedKeys: ReadonlySet<string> | undefined
  rowLabel: GridSelection<Row>['rowLabel'] | undefined
  isSelectable: GridSelection<Row>['isSelectable']
  onToggle: (key: string, isOn: boolean, isRange: boolean) => void
  onRowPress: (event: MouseEvent<HTMLElement>) => void
  isWhole: boolean
}

/** Rows of the first frame. */
const firstRowCount = 10

function GridBodyRows<Row>({ rows, selectedKeys, isSelectable, rowLabel, isWhole, ...shared }: GridBodyProps<Row>) {
  // A body that has just been mounted draws its first rows in a short task, and the others in one that input may interrupt.
  const showsAll = useDeferredValue(true, isWhole)
  const laterCount = showsAll ? 0 : Math.max(0, rows.length - firstRowCount)
  return (
    <>
      <tbody>
        {rows.slice(0, rows.length - laterCount).map((row) => {
          const key = shared.rowKey(row)
          const isFixed = isSelectable ? !isSelectable(row) : false
          return (
            <GridRow
              key={key}
              row={row}
              isSelected={selectedKeys?.has(key)}
              isFixed={isFixed}
              rowLabel={rowLabel}
              {...shared}
            />
          )
        })}
      </tbody>
      {laterCount > 0 && (
        <tbody aria-hidden="true">
          <tr>
            <td style={{ height: `calc(${laterCount} * var(--row-height, 40px))` }} />
          </tr>
        </tbody>
      )}
    </>
  )
}

/** Counts the pages shown: rows of which none was there before are another page. */
function usePageCount<Row>(rows: readonly Row[], rowKey: (row: Row) => string): number {
  const [known, setKnown] = useState({ rows, count: 0 })
  if (known.rows === rows) return known.count
  const keys = new Set(known.rows.map(rowKey))
  const count = rows.some((row) => keys.has(rowKey(row))) ? known.count : known.count + 1
  setKnown({ rows, count })
  return count
}

/** Another page is drawn like the first one: its first rows at once. */
function GridPages<Row>(props: GridBodyProps<Row>) {
  return <GridBodyRows key={usePageCount(props.rows, props.rowKey)} {...props} />
}

// `memo` drops the type parameter; the cast restores it.
export const GridBody = memo(GridPages) as typeof GridPages
