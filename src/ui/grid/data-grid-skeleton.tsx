import type { GridColumn } from './data-grid-types.ts'

type GridSkeletonProps<Row> = {
  columns: readonly GridColumn<Row>[]
  rowCount: number
  hasSelection: boolean
  hasActions: boolean
}

const widths = ['72%', '48%', '60%', '84%', '54%']

/** Rows of the real height, to avoid a layout shift when the data arrives. */
export function GridSkeleton<Row>({ columns, rowCount, hasSelection, hasActions }: GridSkeletonProps<Row>) {
  return (
    <tbody aria-hidden="true" className="ui-grid-skeleton">
      {Array.from({ length: rowCount }, (_, index) => index).map((row) => (
        <tr key={row}>
          {hasSelection && <td className="ui-grid-select" />}
          {columns.map((column, index) => (
            <td key={column.key} data-align={column.align}>
              <span className="ui-skeleton" style={{ width: widths[(row + index) % widths.length] }} />
            </td>
          ))}
          {hasActions && <td className="ui-grid-actions" />}
        </tr>
      ))}
    </tbody>
  )
}
