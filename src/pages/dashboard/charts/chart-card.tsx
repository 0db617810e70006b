import { type ReactNode, useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Label } from '#schema/words.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { chartWords } from './chart-words.ts'

const tableHeightPx = 230

export type ChartCardProps<Row> = {
  title: Label
  /** Shown when there is no data. */
  empty?: Label | undefined
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowHref?: ((row: Row) => string | undefined) | undefined
  children: ReactNode
}

/** A chart with a table alternative. */
export function ChartCard<Row>({ title, empty, columns, rows, rowKey, rowHref, children }: ChartCardProps<Row>) {
  const sayLabel = useSay()
  const [isTable, setTable] = useState(false)
  const name = sayLabel(title)
  const word = sayLabel(isTable ? chartWords.asChart : chartWords.asTable)
  const turn = (
    <Button
      kind="text"
      size="small"
      icon={isTable ? 'chart' : 'list'}
      aria-label={`${word}: ${name}`}
      onClick={() => setTable(!isTable)}
    >
      {word}
    </Button>
  )
  return (
    <Card title={name} actions={empty ? undefined : turn} flush={isTable && !empty}>
      {empty && <EmptyState icon="chart" title={sayLabel(empty)} />}
      {!empty && isTable && (
        <DataGrid label={name} density="compact" maxHeight={tableHeightPx} {...{ columns, rows, rowKey, rowHref }} />
      )}
      {!empty && !isTable && children}
    </Card>
  )
}
