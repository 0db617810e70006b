import '#schema/later/list-facts.ts'
import { useMemo, useState } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import { FieldFilter } from '#fields/field-filter.tsx'
import { listOf } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Menu, type MenuEntry } from '#ui/overlay/menu.tsx'
import { listWords } from '#views/shared/list-words.ts'
import { type FieldAt, filterableFields, isSystem } from './filterable-fields.ts'

export type ListFiltersProps = {
  resource: AnyResource
  /** Filters that every row already satisfies: they offer no choice. */
  fixed?: readonly Filter[] | undefined
  filters: readonly Filter[]
  onChange: (filters: readonly Filter[]) => void
}

/** Fields in three parts: the definition's own filters, in its order, other fields, and those that every record has. */
function inParts(fields: readonly FieldAt[], pinned: readonly string[]): FieldAt[][] {
  const partOf = ({ path }: FieldAt) => (pinned.includes(path) ? 0 : isSystem(path) ? 2 : 1)
  const parts = [0, 1, 2].map((part) => fields.filter((field) => partOf(field) === part))
  parts[0]?.sort((a, b) => pinned.indexOf(a.path) - pinned.indexOf(b.path))
  return parts.filter((part) => part.length > 0)
}

const none: readonly Filter[] = []

/** The filters in use, the one that was chosen last, and a menu of all others, which begins with those of the definition. */
export function ListFilters({ resource, fixed = none, filters, onChange }: ListFiltersProps) {
  const permissions = usePermissions()
  const sayLabel = useSay()
  const [added, setAdded] = useState<string>()
  const possible = useMemo(() => {
    const fields = filterableFields(resource, permissions).filter(({ path }) => !fixed.some(({ field }) => field === path))
    return inParts(fields, listOf(resource).filters)
  }, [resource, permissions, fixed])
  const isShown = ({ path }: FieldAt) => path === added || filters.some(({ field }) => field === path)
  const shown = possible.flat().filter(isShown)
  const parts = possible.map((part) => part.filter((each) => !isShown(each))).filter((part) => part.length > 0)
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
      {parts.length > 0 && (
        <Menu
          label={more}
          text={more}
          icon="filter"
          size="small"
          align="start"
          items={parts.flatMap((part, index): MenuEntry[] => [
            ...(index > 0 ? [{ key: `part-${index}`, separator: true as const }] : []),
            ...part.map(({ path, field, inside }) => ({
              key: path,
              label: inside ? `${sayLabel(inside.label)}: ${sayLabel(field.label)}` : sayLabel(field.label),
              onSelect: () => setAdded(path),
            })),
          ])}
        />
      )}
    </>
  )
}
