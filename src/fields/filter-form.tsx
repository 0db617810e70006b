import type { ReactNode } from 'react'
import type { FieldType } from '#schema/field-types.ts'
import { BooleanFilter, EnumFilter, TagsFilter } from './choice/choice-filter.tsx'
import type { FilterProps } from './field-kind.ts'
import { NumberFilter } from './number/number-filter.tsx'
import { ReferenceFilter } from './reference/reference-filter.tsx'
import { TextFilter } from './text/text-filter.tsx'
import { TimeFilter } from './time/time-filter.tsx'

/** What asks for a condition, by type; a type that cannot be compared has none. */
const filters = {
  text: TextFilter,
  longText: TextFilter,
  email: TextFilter,
  phone: TextFilter,
  url: TextFilter,
  code: TextFilter,
  hex: TextFilter,
  semver: TextFilter,
  timezone: TextFilter,
  integer: NumberFilter,
  decimal: NumberFilter,
  quantity: NumberFilter,
  percent: NumberFilter,
  bytes: NumberFilter,
  duration: NumberFilter,
  count: NumberFilter,
  boolean: BooleanFilter,
  enum: EnumFilter,
  status: EnumFilter,
  date: TimeFilter,
  dateTime: TimeFilter,
  reference: ReferenceFilter,
  references: undefined,
  tags: TagsFilter,
  group: undefined,
  list: undefined,
  json: undefined,
  file: undefined,
  secret: undefined,
} satisfies { [T in FieldType]: ((props: FilterProps<T>) => ReactNode) | undefined }

/** The small form that a filter's button opens. */
export function FilterForm(props: FilterProps): ReactNode {
  const Filter = filters[props.field.type] as ((props: FilterProps) => ReactNode) | undefined
  return Filter && <Filter {...props} />
}
