import { useId } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { FilterProps } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import { type Ends, RangeFilter } from '#fields/number/range-filter.tsx'
import { endOfDay, isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import type { FilterValue } from '#schema/list-query.ts'
import { DateInput } from '#ui/input/date-input.tsx'

/** From one day to another, both included; of moments, the days of the viewer's zone. */
export function TimeFilter(props: FilterProps) {
  const { zone } = useConsole()
  const isDay = props.field.type === 'date'
  const show = (value: FilterValue) => (isDay ? String(value) : localFromIso(String(value), zone).slice(0, 10))
  const read = (text: string, end: keyof Ends) => {
    if (text === '') return undefined
    if (isDay) return text
    return end === 'from' ? isoFromLocal(text, zone) : endOfDay(text, zone)
  }
  return <RangeFilter {...props} show={show} read={read} draw={(ends, change) => <DayEnds ends={ends} change={change} />} />
}

function DayEnds({ ends, change }: { ends: Ends; change: (end: keyof Ends, text: string) => void }) {
  const sayLabel = useSay()
  const id = useId()
  const labels = { from: inputWords.since, to: inputWords.until }
  return (['from', 'to'] as const).map((end) => (
    <div className="field-filter-end" key={end}>
      <label htmlFor={`${id}-${end}`}>{sayLabel(labels[end])}</label>
      <DateInput
        id={`${id}-${end}`}
        value={ends[end]}
        min={end === 'to' ? ends.from || undefined : undefined}
        onChange={(text) => change(end, text)}
      />
    </div>
  ))
}
