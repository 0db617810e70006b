import { useMemo } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { FilterProps } from '#fields/field-kind.ts'
import { periodWords } from '#fields/input-words.ts'
import { type Ends, RangeFilter } from '#fields/number/range-filter.tsx'
import { presentIso } from '#schema/format/present-time.ts'
import { endOfDay, isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import type { FilterValue } from '#schema/list-query.ts'
import type { Label } from '#schema/words.ts'
import { PeriodInput } from '#ui/antd/lazy-antd.ts'
import type { PeriodWords } from '#ui/antd/period-input.tsx'

const wordsIn = (sayLabel: (label: Label) => string) =>
  Object.fromEntries(Object.entries(periodWords).map(([name, label]) => [name, sayLabel(label)])) as PeriodWords

/** A period, both days included; for date-times, days in the viewer's time zone. */
export function TimeFilter(props: FilterProps) {
  const { zone } = useConsole()
  const sayLabel = useSay()
  const words = useMemo(() => wordsIn(sayLabel), [sayLabel])
  const isDay = props.field.type === 'date'
  const show = (value: FilterValue) => (isDay ? String(value) : localFromIso(String(value), zone).slice(0, 10))
  const read = (text: string, end: keyof Ends) => {
    if (text === '') return undefined
    if (isDay) return text
    return end === 'from' ? isoFromLocal(text, zone) : endOfDay(text, zone)
  }
  const today = localFromIso(presentIso(), zone).slice(0, 10)
  return (
    <RangeFilter
      {...props}
      show={show}
      read={read}
      draw={(ends, change, apply) => <PeriodInput value={ends} onChange={change} onShortcut={apply} {...{ today, words }} />}
    />
  )
}
