import '#schema/later/action-forms.ts'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { FieldOf } from '#schema/field-types.ts'
import { dividedSizes, rowsOrUsual } from '#schema/form/divide.ts'
import { formatNumber } from '#schema/format/format.ts'
import { StackedBar } from '#ui/chart/stacked-bar.tsx'
import { outlookWords } from './outlook-words.ts'

export type DivisionBarProps = { field: FieldOf<'list'>; value: unknown; total: number }

/** Bar of how a list's rows divide the form's outlook. Rows with nothing in them have no number. */
export function DivisionBar({ field, value, total }: DivisionBarProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  if (!field.divides || total === 0) return null
  const { label } = field.divides
  const sizes = dividedSizes(rowsOrUsual(value, field.divides), field.divides, total)
  const taken = sizes.filter((count) => count > 0)
  const empty = sizes.length - taken.length
  const parts = taken.map((count, index) => ({
    key: String(index),
    label: sayLabel(label, { number: index + 1 }),
    count,
    tone: 'info' as const,
    text: formatNumber(count, 0, language),
  }))
  return (
    <>
      <StackedBar numbered label={sayLabel(field.label)} parts={parts} />
      {empty > 0 && (
        <p className="outlook-note">{sayLabel(outlookWords.empty, { name: sayLabel(field.label), count: empty })}</p>
      )}
    </>
  )
}
