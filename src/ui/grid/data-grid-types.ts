import type { ReactNode } from 'react'
import type { Tone } from '#ui/theme/tokens.ts'

export type SortOrder = 'asc' | 'desc'

export type GridColumn<Row> = {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Numbers align right with tabular figures. */
  align?: 'start' | 'end' | 'center' | undefined
  /** Absent: not sortable. */
  sort?: SortOrder | 'none' | undefined
  /** Position among several sort columns, from 1. */
  sortRank?: number | undefined
  width?: number | string | undefined
  /** Drawn below the content and outside of the row's link. */
  under?: ((row: Row) => ReactNode) | undefined
  /** Its values may be kept on the device until the next visit. */
  kept?: boolean | undefined
  /** Long text wraps instead of being truncated. */
  wrap?: boolean | undefined
}

export type GridSelection<Row> = {
  keys: ReadonlySet<string>
  onChange: (keys: ReadonlySet<string>) => void
  /** Accessible name of the row's checkbox. */
  rowLabel: (row: Row) => string
  isSelectable?: ((row: Row) => boolean) | undefined
}

/** Props of the body. Keep them referentially stable: a row re-renders only when one changes. */
export type GridRowProps<Row> = {
  columns: readonly GridColumn<Row>[]
  rowKey: (row: Row) => string
  /** Link of the first cell; a click anywhere on the row follows it. */
  rowHref?: ((row: Row) => string | undefined) | undefined
  rowTone?: ((row: Row) => Tone | undefined) | undefined
  rowActions?: ((row: Row) => ReactNode) | undefined
  /** Hover or focus on the row: a hint to prefetch its target. */
  onRowIntent?: ((row: Row) => void) | undefined
}

export type DataGridProps<Row> = GridRowProps<Row> & {
  label: string
  /** `undefined` while the first page is loading. */
  rows: readonly Row[] | undefined
  /** `next` is undefined to remove the column from the sort; `isAdded` (Shift) keeps the other sort columns. */
  onSort?: ((key: string, next: SortOrder | undefined, isAdded: boolean) => void) | undefined
  selection?: GridSelection<Row> | undefined
  /** The rows are those of the previous query. */
  busy?: boolean | undefined
  /** Expected number of rows of a page. */
  skeletonRows?: number | undefined
  empty?: ReactNode
  /** `cards`: a row is one cell of two lines. */
  density?: 'normal' | 'compact' | 'cards' | undefined
  /** All rows stand in the first frame, as a browser needs that scrolls back to where the page was left. */
  isWhole?: boolean | undefined
  /** With a height the header stays fixed while the rows scroll. */
  maxHeight?: number | string | undefined
}
