import { useMay, useSay } from '#fields/definitions.tsx'
import { Button } from '#ui/button.tsx'
import type { DescriptionItem } from '#ui/description-list.tsx'
import { useStartAction } from '#views/actions/action-host.tsx'
import type { WidgetProps } from '#views/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'

const name = 'open-case'

/** The case file of a warning, or the press that opens one. */
export function useCaseFact({ resource, record, isPartial }: Omit<WidgetProps, 'tab'>): DescriptionItem[] {
  const sayLabel = useSay()
  const may = useMay()
  const start = useStartAction()
  const facts = useFacts({ resource, record, isPartial })
  const field = resource.fields.caseId
  const action = resource.actions?.[name]
  const hasNone = record.caseId === null
  if (!hasNone || !field || !action || !may(resource.name, name)) return hasNone ? [] : facts(['caseId'])
  const open = (
    <Button size="small" icon="save" onClick={() => start({ resource, name, action, id: String(record.id), record })}>
      {sayLabel(action.label)}
    </Button>
  )
  return [{ key: 'caseId', label: sayLabel(field.label), value: open }]
}
