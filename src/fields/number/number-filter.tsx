import { useId } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { FilterProps } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import type { Field } from '#schema/field-types.ts'
import { formatDuration } from '#schema/format/format.ts'
import { readDuration } from '#schema/format/read-duration.ts'
import { units } from '#schema/format/units.ts'
import { type FilterValue, valueFromText } from '#schema/list-query.ts'
import { TextInput } from '#ui/input/text-input.tsx'
import { type Ends, RangeFilter } from './range-filter.tsx'

/** Accepts both decimal separators: 12.5 and 12,5; durations as people type them. */
const readNumber = (field: Field, text: string) =>
  field.type === 'duration' ? readDuration(text) : valueFromText(field, text.trim().replace(',', '.').replace(/\s/g, ''))

export function NumberFilter(props: FilterProps) {
  const { field } = props
  const language = useLanguage()
  const show = (value: FilterValue) =>
    field.type === 'duration' && typeof value === 'number' ? formatDuration(value, language, 5) : String(value)
  return (
    <RangeFilter
      {...props}
      show={show}
      read={(text) => readNumber(field, text)}
      draw={(ends, change) => <NumberEnds field={field} ends={ends} change={change} />}
    />
  )
}

type NumberEndsProps = { field: Field; ends: Ends; change: (ends: Ends) => void }

function NumberEnds({ field, ends, change }: NumberEndsProps) {
  const sayLabel = useSay()
  const id = useId()
  const unit = field.type === 'quantity' ? sayLabel(units[field.unit].symbol) : undefined
  const isBad = (text: string) => text.trim() !== '' && readNumber(field, text) === undefined
  const form = sayLabel(field.type === 'duration' ? inputWords.durationForm : inputWords.number)
  return (['from', 'to'] as const).map((end) => (
    <div className="field-filter-end" key={end}>
      <label htmlFor={`${id}-${end}`}>{sayLabel(inputWords[end])}</label>
      <TextInput
        id={`${id}-${end}`}
        // Blocks the form, which would leave out what it cannot read.
        ref={(input) => input?.setCustomValidity(isBad(ends[end]) ? form : '')}
        inputMode={field.type === 'duration' ? 'text' : 'decimal'}
        placeholder={field.type === 'duration' ? sayLabel(inputWords.duration) : undefined}
        value={ends[end]}
        suffix={unit}
        status={isBad(ends[end]) ? 'error' : undefined}
        onChange={(text) => change({ ...ends, [end]: text })}
      />
    </div>
  ))
}
