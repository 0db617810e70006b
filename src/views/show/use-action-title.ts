import { useConsole, useSay } from '#fields/definitions.tsx'
import type { ActionOffer } from '#views/actions/action-offer.ts'
import { recordHeading } from './record-heading.ts'

/** Title of an action's dialog: what it does, and to which record. A selection and a row of a tab are named in its text. */
export function useActionTitle({ resource, action, record, row }: ActionOffer, isMany: boolean): string {
  const wording = useConsole()
  const sayLabel = useSay()
  if (action.confirm?.title) return sayLabel(action.confirm.title)
  const label = sayLabel(action.label)
  return record && !row && !isMany ? `${label}: ${recordHeading(resource, record, wording)}` : label
}
