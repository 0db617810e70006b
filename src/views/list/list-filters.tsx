import '#schema/later/list-facts.ts'
import { useMemo, useState } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import { FieldFilter } from '#fields/field-filter.tsx'
import { listOf } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Menu } from '#ui/overlay/menu.tsx'
import { listWords } from '#views/shared/list-words.ts'
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

/** The filters in use, the one that was chosen last, and a menu of all others, which begins with those of the definition. */
export function ListFilters({ resource, fixed = none, filters, onChange }: ListFiltersProps) {
  const permissions = usePermissions()
  const sayLabel = useSay()
  const [added, setAdded] = useState<string>()
  const possible = useMemo(() => {
    const fields = filterableFields(resource, permissions).filter(({ path }) => !fixed.some(({ field }) => field === path))
    return inOrder(fields, listOf(resource).filters)
  }, [resource, permissions, fixed])
  const isShown = ({ path }: FieldAt) => path === added || filters.some(({ field }) => field === path)
  const shown = possible.filter(isShown)
  const rest = possible.filter((each) => !isShown(each))
  const more = sayLabel(shown.length > 0 ? listWords.moreFilters : listWords.filters)
  return (
    <>
      {shown.map(({ path, field }) => (
        <FieldFilter
          key={path}
          {...{ path, field }}
          startsOpen={path === added}
          filters={filters.filter((each) => each.field === path)}
          onChange={(next) => onChange([...filters.filter((each) => each.field !== path), ...next])}
        />
      ))}
      {rest.length > 0 && (
        <Menu
          label={more}
          text={more}
          icon="filter"
          size="small"
          align="start"
          items={rest.map(({ path, field, inside }) => ({
            key: path,
            label: inside ? `${sayLabel(inside.label)}: ${sayLabel(field.label)}` : sayLabel(field.label),
            onSelect: () => setAdded(path),
          }))}
        />
      )}
    </>
  )
}
