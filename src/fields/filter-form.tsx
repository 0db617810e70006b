import type { ReactNode } from 'react'
import { type Comparison, type TypesCompared, traitsOf } from '#schema/field-types.ts'
import { BooleanFilter, EnumFilter, TagsFilter } from './choice/choice-filter.tsx'
import type { FilterProps } from './field-kind.ts'
import { NumberFilter } from './number/number-filter.tsx'
import { ReferenceFilter } from './reference/reference-filter.tsx'
import { TextFilter } from './text/text-filter.tsx'
import { TimeFilter } from './time/time-filter.tsx'

/** Filter control by the comparison of the field's type. */
const filters: { [C in Comparison]: ((props: FilterProps<TypesCompared<C>>) => ReactNode) | undefined } = {
  text: TextFilter,
  number: NumberFilter,
  time: TimeFilter,
  boolean: BooleanFilter,
  choice: EnumFilter,
  reference: ReferenceFilter,
  references: ReferenceFilter,
  tags: TagsFilter,
  none: undefined,
}

export function FilterForm(props: FilterProps): ReactNode {
  const Filter = filters[traitsOf(props.field).compare] as ((props: FilterProps) => ReactNode) | undefined
  return Filter && <Filter {...props} />
}
