import { Suspense } from 'react'
import type { Field } from '#schema/field-types.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { useSay } from './definitions.tsx'
import type { FilterProps } from './field-kind.ts'
import { fieldWords } from './words.ts'

const FilterForm = lazyCode(() => import('./filter-form.tsx').then((module) => ({ default: module.FilterForm })))

export type FieldFilterProps = Omit<FilterProps, 'field' | 'close'> & {
  field: Field
  /** True for a filter that was just added: its popover starts open. */
  startsOpen?: boolean
}

/** A button with the number of filter values; its popover is loaded on first use. */
export function FieldFilter({ field, path, filters, onChange, startsOpen }: FieldFilterProps) {
  const sayLabel = useSay()
  const label = sayLabel(field.label)
  const count = filters.reduce((sum, { values }) => sum + values.length, 0)
  return (
    <Popover label={label} text={label} size="small" {...{ count, startsOpen }}>
      {(close) => (
        <Suspense fallback={<p className="field-filter-note">{sayLabel(fieldWords.loading)}</p>}>
          <FilterForm {...{ field, path, filters, onChange, close }} />
        </Suspense>
      )}
    </Popover>
  )
}
