import type { MouseEvent } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import type { GridColumn, SortOrder } from './data-grid-types.ts'
import type { SelectAll } from './use-grid-selection.ts'

type Sort = SortOrder | 'none'

const sortLooks = {
  none: { icon: 'sort', aria: 'none', next: 'asc' },
  asc: { icon: 'sort-asc', aria: 'ascending', next: 'desc' },
  desc: { icon: 'sort-desc', aria: 'descending', next: undefined },
} as const satisfies Record<Sort, { icon: IconName; aria: 'none' | 'ascending' | 'descending'; next: SortOrder | undefined }>

type GridHeadProps<Row> = {
  columns: readonly GridColumn<Row>[]
  onSort: ((key: string, next: SortOrder | undefined, isAdded: boolean) => void) | undefined
  selectAll: SelectAll | undefined
  hasActions: boolean
}

export function GridHead<Row>({ columns, onSort, selectAll, hasActions }: GridHeadProps<Row>) {
  const words = useUiWords()
  return (
    <thead>
      <tr>
        {selectAll && (
          <th scope="col" className="ui-grid-select">
            <Checkbox
              checked={selectAll.isAll}
              indeterminate={selectAll.isSome}
              onChange={selectAll.onChange}
              aria-label={words.selectAllRows}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} onSort={onSort} />
        ))}
        {hasActions && (
          <th scope="col" className="ui-grid-actions">
            <span className="ui-hidden">{words.actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function HeadCell<Row>({ column, onSort }: { column: GridColumn<Row>; onSort: GridHeadProps<Row>['onSort'] }) {
  const { key, header, align = 'start', sort, sortRank } = column
  if (!sort || !onSort)
    return (
      <th scope="col" data-align={align}>
        {header}
      </th>
    )
  const look = sortLooks[sort]
  const handleSort = (event: MouseEvent) => onSort(key, look.next, event.shiftKey)
  return (
    <th scope="col" data-align={align} aria-sort={look.aria}>
      <button type="button" className="ui-grid-sort" data-sort={sort} onClick={handleSort}>
        {header}
        <Icon name={look.icon} sizePx={14} />
        {sortRank !== undefined && <span className="ui-grid-rank">{sortRank}</span>}
      </button>
    </th>
  )
}
