import { useSay } from '#fields/definitions.tsx'
import type { FieldIn, WritePart } from '#fields/field-kind.ts'
import type { Bars as BarFacts } from '#schema/facts/outlook-facts.ts'
import { valueAt } from '#schema/rule.ts'
import { type BarPart, StackedBar } from '#ui/chart/stacked-bar.tsx'

export type BarsProps = { field: FieldIn<'list'>; bars: BarFacts; rows: readonly unknown[]; write: WritePart }

export function Bars({ field, bars, rows, write }: BarsProps) {
  const sayLabel = useSay()
  const textOf = (name: string, row: unknown) => {
    const part = field.fields[name]
    return part ? write(part, valueAt(row, name)) : ''
  }
  const named = field.fields[bars.by]
  const partsOf = (row: unknown): BarPart[] =>
    Object.entries(bars.counts).map(([key, tone]) => {
      const part = field.fields[key]
      const label = part ? sayLabel(part.label) : key
      return { key, label, tone, count: Number(valueAt(row, key) ?? 0), text: textOf(key, row) }
    })
  return (
    <div className="field-bars">
      {rows.map((row) => {
        const name = textOf(bars.by, row)
        return <StackedBar key={name} label={named ? `${sayLabel(named.label)} ${name}` : name} parts={partsOf(row)} />
      })}
    </div>
  )
}
