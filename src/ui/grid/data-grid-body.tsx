import { type MouseEvent, memo } from 'react'
import { GridRow } from './data-grid-row.tsx'
import type { GridRowProps, GridSelection } from './data-grid-types.ts'

type GridBodyProps<Row> = GridRowProps<Row> & {
  rows: readonly Row[]
  selectedKeys: ReadonlySet<string> | undefined
  rowLabel: GridSelection<Row>['rowLabel'] | undefined
  isSelectable: GridSelection<Row>['isSelectable']
  onToggle: (key: string, isOn: boolean, isRange: boolean) => void
  onRowPress: (event: MouseEvent<HTMLElement>) => void
}

function GridBodyRows<Row>({ rows, selectedKeys, isSelectable, rowLabel, ...shared }: GridBodyProps<Row>) {
  return (
    <tbody>
      {rows.map((row) => {
        const key = shared.rowKey(row)
        const isFixed = isSelectable ? !isSelectable(row) : false
        return (
          <GridRow key={key} row={row} isSelected={selectedKeys?.has(key)} isFixed={isFixed} rowLabel={rowLabel} {...shared} />
        )
      })}
    </tbody>
  )
}

// `memo` drops the type parameter; the cast restores it.
export const GridBody = memo(GridBodyRows) as typeof GridBodyRows
