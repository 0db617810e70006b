import '#schema/later/list-facts.ts'
import { useCallback, useMemo } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldKindOf } from '#fields/registry.ts'
import { fieldOf, listOf } from '#schema/definition.ts'
import { keptTypes } from '#schema/later/kept-types.ts'
import { isSortable, maxSorts, type Sort } from '#schema/list-query.ts'
import type { AnyResource, Order } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { useStoredSetting } from '#views/shared/use-stored-setting.ts'
import { columnFields, type FieldAt } from './filterable-fields.ts'

export type ColumnChoice = { shown: readonly string[]; defaults: readonly string[]; choices: readonly FieldAt[] }

/** Columns of a list, by precedence: the address, this device's choice, the definition. */
export function useColumnChoice(
  resource: AnyResource,
  own: readonly string[] | undefined,
  asked: readonly string[] | undefined,
) {
  const permissions = usePermissions()
  const key = `columns.${resource.name}${own ? `.${own.join()}` : ''}`
  const [stored, store] = useStoredSetting(key)
  const choice = useMemo((): ColumnChoice => {
    const named = own ?? listOf(resource).columns
    const choices = columnFields(resource, permissions, named)
    const known = (paths: readonly string[]) => paths.filter((path) => choices.some((each) => each.path === path))
    const defaults = known(named)
    const chosen = known(asked ?? stored?.split(',') ?? [])
    return { choices, defaults, shown: chosen.length > 0 ? chosen : defaults }
  }, [resource, permissions, own, asked, stored])
  const remember = useCallback((paths: readonly string[] | undefined) => store(paths?.join(',')), [store])
  return { ...choice, remember }
}

const orderOf = (sort: readonly Sort[], path: string): Order | 'none' =>
  sort.find(({ field }) => field === path)?.order ?? 'none'

function rankOf(sort: readonly Sort[], path: string): number | undefined {
  const place = sort.findIndex(({ field }) => field === path)
  return sort.length > 1 && place >= 0 ? place + 1 : undefined
}

/** Cells rendered as text inside the row's link. */
type LinkedCells = 'none' | 'first' | 'all'

export function useGridColumns({ list }: AnyResource, choice: ColumnChoice, sort: readonly Sort[], linked: LinkedCells) {
  const sayLabel = useSay()
  const { shown, choices } = choice
  return useMemo(
    () =>
      shown.flatMap((path, index): GridColumn<Row>[] => {
        const found = choices.find((each) => each.path === path)
        if (!found) return []
        const { field } = found
        const mark = choices.find((each) => each.path === list?.marks?.[path])
        const place = linked === 'all' || (linked === 'first' && index === 0) ? 'link' : 'cell'
        const column: GridColumn<Row> = {
          key: path,
          header: sayLabel(field.label),
          cell: (row) => (
            <>
              {mark && valueAt(row, mark.path) !== null && (
                <span className="view-mark">
                  <FieldDisplay {...mark} row={row} />
                </span>
              )}
              <FieldDisplay field={field} path={path} row={row} place={place} />
            </>
          ),
          align: fieldKindOf(field).align,
          kept: keptTypes.has(field.type),
        }
        return [isSortable(field) ? { ...column, sort: orderOf(sort, path), sortRank: rankOf(sort, path) } : column]
      }),
    [list, shown, choices, sort, sayLabel, linked],
  )
}

/** Sort keys of visible columns. */
export const shownSort = (resource: AnyResource, sort: readonly Sort[]): readonly Sort[] =>
  sort.filter(({ field }) => !fieldOf(resource, field)?.sortOnly)

/** The sort after a click on a header: one column, or with Shift in addition to the others; the last of too many makes room. */
export function sortAfter(sort: readonly Sort[], path: string, next: Order | undefined, isAdded: boolean): readonly Sort[] {
  const others = isAdded ? sort.filter(({ field }) => field !== path) : []
  if (!next) return others
  const place = isAdded ? sort.findIndex(({ field }) => field === path) : -1
  if (place < 0) return [...others.slice(0, maxSorts - 1), { field: path, order: next }]
  return sort.map((each) => (each.field === path ? { field: path, order: next } : each))
}
