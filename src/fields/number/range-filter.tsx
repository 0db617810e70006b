import { type ReactNode, useState } from 'react'
import type { FilterProps } from '#fields/field-kind.ts'
import { FilterFrame } from '#fields/filter-frame.tsx'
import type { Filter, FilterValue } from '#schema/list-query.ts'

export type Ends = { from: string; to: string }
export type RangeFilterProps = FilterProps & {
  /** Converts between the query parameter and the input value. */
  show: (value: FilterValue) => string
  read: (text: string, end: keyof Ends) => FilterValue | undefined
  /** `apply` takes a range that is complete and closes the filter. */
  draw: (ends: Ends, change: (ends: Ends) => void, apply: (ends: Ends) => void) => ReactNode
}

const ops = { from: 'gte', to: 'lte' } as const

/** A range; either end may be open. */
export function RangeFilter({ show, read, draw, ...props }: RangeFilterProps) {
  const { path, filters } = props
  const at = (end: keyof Ends) => {
    const value = filters.find(({ op }) => op === ops[end] || op === 'eq')?.values[0]
    return value === undefined ? '' : show(value)
  }
  const asked = { from: at('from'), to: at('to') }
  const key = `${asked.from} ${asked.to}`
  const [draft, setDraft] = useState({ key, ends: asked })
  const ends = draft.key === key ? draft.ends : asked
  const filterOf = (text: string, end: keyof Ends): Filter[] => {
    const value = read(text, end)
    return value === undefined ? [] : [{ field: path, op: ops[end], values: [value] }]
  }
  const filtersOf = ({ from, to }: Ends) => [...filterOf(from, 'from'), ...filterOf(to, 'to')]
  const change = (next: Ends) => setDraft({ key, ends: next })
  const apply = (next: Ends) => {
    props.onChange(filtersOf(next))
    props.close()
  }
  return (
    <FilterFrame {...props} read={() => filtersOf(ends)}>
      {draw(ends, change, apply)}
    </FilterFrame>
  )
}
