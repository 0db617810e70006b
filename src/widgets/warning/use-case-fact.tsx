import { useSay } from '#fields/definitions.tsx'
import { Button } from '#ui/input/button.tsx'
import type { DescriptionItem } from '#ui/layout/description-list.tsx'
import { useStartAction } from '#views/actions/action-host.tsx'
import { recordOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'

/** The case file of a warning, or a button that opens one. */
export function useCaseFact({ resource, record, isPartial }: Omit<WidgetProps, 'tab'>): DescriptionItem[] {
  const sayLabel = useSay()
  const actionContext = useActionContext()
  const start = useStartAction()
  const facts = useFacts({ resource, record, isPartial })
  const field = resource.fields.caseId
  if (record.caseId) return facts(['caseId'])
  const offer =
    record.caseId === null && recordOffers(resource, record, actionContext()).find((one) => one.name === 'open-case')
  if (!offer || !field) return []
  const open = (
    <Button size="small" icon="save" onClick={() => start(offer)}>
      {sayLabel(offer.action.label)}
    </Button>
  )
  return [{ key: 'caseId', label: sayLabel(field.label), value: open }]
}
