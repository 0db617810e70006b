import type { FilterProps } from '#fields/field-kind.ts'
import { FilterFrame } from '#fields/filter-frame.tsx'
import { ReferenceChoices } from './reference-choices.tsx'

export function ReferenceFilter(props: FilterProps<'reference' | 'references'>) {
  const { field, path, filters, onChange } = props
  const chosen = filters.find(({ op }) => op === 'eq')?.values.map(String) ?? []
  const choose = (values: readonly string[]) => onChange(values.length > 0 ? [{ field: path, op: 'eq', values }] : [])
  return (
    <FilterFrame {...props}>
      <ReferenceChoices field={field} chosen={chosen} onChange={choose} />
    </FilterFrame>
  )
}
