import type { ReactNode } from 'react'
import type { Tone } from '#ui/theme/tokens.ts'

export type SortOrder = 'asc' | 'desc'

export type GridColumn<Row> = {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Numbers align right with tabular figures. */
  align?: 'start' | 'end' | 'center' | undefined
  /** Absent: cannot be sorted by. */
  sort?: SortOrder | 'none' | undefined
  /** Its place among several sort columns, from 1. */
  sortRank?: number | undefined
  width?: number | string | undefined
  /** Stands under the content and outside of the row's link. */
  under?: ((row: Row) => ReactNode) | undefined
  /** Long text breaks instead of being cut. */
  wrap?: boolean | undefined
}

export type GridSelection<Row> = {
  keys: ReadonlySet<string>
  onChange: (keys: ReadonlySet<string>) => void
  /** Accessible name of the row's checkbox. */
  rowLabel: (row: Row) => string
  isSelectable?: ((row: Row) => boolean) | undefined
}

/** Props of the body. Keep them stable between renders: a row re-renders only when one changes. */
export type GridRowProps<Row> = {
  columns: readonly GridColumn<Row>[]
  rowKey: (row: Row) => string
  /** The address that the first cell leads to; a press anywhere on the row follows it. */
  rowHref?: ((row: Row) => string | undefined) | undefined
  rowTone?: ((row: Row) => Tone | undefined) | undefined
  rowActions?: ((row: Row) => ReactNode) | undefined
  /** The pointer or the focus is on the row: time to ask for what it leads to. */
  onRowIntent?: ((row: Row) => void) | undefined
}

export type DataGridProps<Row> = GridRowProps<Row> & {
  label: string
  /** `undefined` while the first page is on its way. */
  rows: readonly Row[] | undefined
  /** `next` is undefined when the column is to be no longer sorted by; `isAdded` with Shift: beside the others. */
  onSort?: ((key: string, next: SortOrder | undefined, isAdded: boolean) => void) | undefined
  selection?: GridSelection<Row> | undefined
  /** The rows shown are the ones from before. */
  busy?: boolean | undefined
  /** As many as a page is expected to have. */
  skeletonRows?: number | undefined
  empty?: ReactNode
  /** `cards`: a row is a cell of two lines. */
  density?: 'normal' | 'compact' | 'cards' | undefined
  /** A height makes the head stay while the rows scroll inside. */
  maxHeight?: number | string | undefined
}
