import { useSay } from '#fields/definitions.tsx'
import { fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Button } from '#ui/input/button.tsx'
import { FilterText } from '#views/shared/filter-text.tsx'
import { listWords } from '#views/shared/list-words.ts'

export type FilterChipsProps = {
  resource: AnyResource
  filters: readonly Filter[]
  onChange: (filters: readonly Filter[]) => void
}

export function FilterChips({ resource, filters, onChange }: FilterChipsProps) {
  const sayLabel = useSay()
  if (filters.length === 0) return null
  return (
    <fieldset className="view-chips">
      <legend className="ui-hidden">{sayLabel(listWords.filters)}</legend>
      {filters.map((filter) => (
        <Chip
          key={`${filter.field} ${filter.op}`}
          field={fieldOf(resource, filter.field)}
          filter={filter}
          onRemove={() => onChange(filters.filter((each) => each !== filter))}
        />
      ))}
      <Button kind="text" size="small" onClick={() => onChange([])}>
        {sayLabel(listWords.clearFilters)}
      </Button>
    </fieldset>
  )
}

type ChipProps = { field: Field | undefined; filter: Filter; onRemove: () => void }

function Chip({ field, filter, onRemove }: ChipProps) {
  if (!field) return null
  return (
    <Tag onRemove={onRemove}>
      <FilterText field={field} filter={filter} />
    </Tag>
  )
}
