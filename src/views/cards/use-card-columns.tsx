import { useMemo } from 'react'
import type { Row } from '#fields/field-kind.ts'
import { fieldKindOf } from '#fields/registry.ts'
import { fieldOf } from '#schema/definition.ts'
import type { Sort } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { CardLines } from './card-lines.tsx'
import { cardOf, withOrder } from './card-of.ts'
import { OrderChoice } from './order-choice.tsx'

type CardColumnsOptions = {
  resource: AnyResource
  /** Columns of the wide layout, with texts that are no links. */
  columns: readonly GridColumn<Row>[]
  shown: readonly string[]
  sort: readonly Sort[]
  onSort: (sort: readonly Sort[]) => void
  /** A row has a page of its own, where its long texts are read. */
  opens: boolean
}

/** A number needs its label; a true boolean is shown as its label. */
function partOf(resource: AnyResource, column: GridColumn<Row>, row: Row) {
  const field = fieldOf(resource, column.key)
  if (field?.type === 'boolean') return column.header
  if (!field || fieldKindOf(field).align === undefined) return column.cell(row)
  return (
    <span className="view-card-number">
      <span className="view-card-name">{column.header}</span> {column.cell(row)}
    </span>
  )
}

/** On a phone a row is one cell of two lines with the long texts of rows without a page below, and the header is the sort menu. */
export function useCardColumns({ resource, columns, shown, sort, onSort, opens }: CardColumnsOptions): GridColumn<Row>[] {
  const [order] = sort
  return useMemo(() => {
    const byKey = new Map(columns.map((column) => [column.key, column]))
    const lines = withOrder(cardOf(resource, shown), byKey.has(order?.field ?? '') ? order?.field : undefined)
    const draw = (path: string, row: Row) => {
      const column = byKey.get(path)
      return column && partOf(resource, column, row)
    }
    const long = opens ? [] : columns.filter((column) => column.wrap)
    const card: GridColumn<Row> = {
      key: 'card',
      header: <OrderChoice {...{ resource, columns, order, onSort }} />,
      cell: (row) => <CardLines {...{ resource, row, lines, draw }} />,
      under: long.length > 0 ? (row) => long.map(({ key, cell }) => <div key={key}>{cell(row)}</div>) : undefined,
    }
    return [card]
  }, [resource, columns, shown, order, onSort, opens])
}
