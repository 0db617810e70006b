import { useMemo, useState } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import { FieldFilter } from '#fields/field-filter.tsx'
import { listOf } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { useNarrow } from '#ui/layout/use-narrow.ts'
import { Menu } from '#ui/overlay/menu.tsx'
import { viewWords } from '#views/shared/words.ts'
import { type FieldAt, filterableFields } from './filterable-fields.ts'

export type ListFiltersProps = {
  resource: AnyResource
  /** Filters that every row already satisfies: they offer no choice. */
  fixed?: readonly Filter[] | undefined
  filters: readonly Filter[]
  onChange: (filters: readonly Filter[]) => void
}

/** The definition's own filters come first, in its order. */
function inOrder(fields: readonly FieldAt[], pinned: readonly string[]): FieldAt[] {
  const place = ({ path }: FieldAt) => (pinned.includes(path) ? pinned.indexOf(path) : pinned.length)
  return fields.toSorted((a, b) => place(a) - place(b))
}

const none: readonly Filter[] = []

/** Number of the definition's filters shown without a value; the others are in the menu, which keeps the toolbar in one row. */
const shownUnused = { narrow: 2, wide: 4 } as const

/** The definition's first filters, active ones, and a menu of all others. */
export function ListFilters({ resource, fixed = none, filters, onChange }: ListFiltersProps) {
  const permissions = usePermissions()
  const sayLabel = useSay()
  const [added, setAdded] = useState<readonly string[]>([])
  const possible = useMemo(
    () => filterableFields(resource, permissions).filter(({ path }) => !fixed.some(({ field }) => field === path)),
    [resource, permissions, fixed],
  )
  const narrow = useNarrow()
  const pinned = listOf(resource).filters.slice(0, shownUnused[narrow ? 'narrow' : 'wide'])
  const isShown = ({ path }: FieldAt) =>
    pinned.includes(path) || added.includes(path) || filters.some(({ field }) => field === path)
  const rest = possible.filter((each) => !isShown(each))
  return (
    <>
      {inOrder(possible.filter(isShown), pinned).map(({ path, field }) => (
        <FieldFilter
          key={path}
          {...{ path, field }}
          filters={filters.filter((each) => each.field === path)}
          onChange={(next) => onChange([...filters.filter((each) => each.field !== path), ...next])}
        />
      ))}
      {rest.length > 0 && (
        <Menu
          label={sayLabel(viewWords.moreFilters)}
          text={sayLabel(viewWords.moreFilters)}
          icon="filter"
          size="small"
          align="start"
          items={rest.map(({ path, field, inside }) => ({
            key: path,
            label: inside ? `${sayLabel(inside.label)}: ${sayLabel(field.label)}` : sayLabel(field.label),
            onSelect: () => setAdded([...added, path]),
          }))}
        />
      )}
    </>
  )
}
