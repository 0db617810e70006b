import { useSay } from '#fields/definitions.tsx'
import { fieldOf, journalParts } from '#schema/definition.ts'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { JournalWord, RecordChanges } from '#views/history/record-changes.tsx'
import type { WidgetProps } from '#views/shared/view-context.tsx'

/** A journal entry in words: action, record, reason and changes. */
export function JournalEntry({ resource, record }: WidgetProps) {
  const sayLabel = useSay()
  const { journal } = resource
  if (!journal) return null
  const items = journalParts.flatMap((part) => {
    const field = fieldOf(resource, journal[part])
    const value = record[journal[part]] ? <JournalWord key={part} {...{ part, journal }} row={record} /> : '—'
    return field ? [{ key: part, label: sayLabel(field.label), value }] : []
  })
  return (
    <Card title={sayLabel(resource.label.one)}>
      <DescriptionList items={items} />
      <RecordChanges journal={journal} row={record} />
    </Card>
  )
}
