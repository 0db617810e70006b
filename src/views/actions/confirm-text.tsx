import '#schema/later/action-forms.ts'
import { useConsole, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Consequence } from '#schema/facts/action-facts.ts'
import type { MessageValues } from '#schema/format/message.ts'
import { mayHold } from '#views/shared/may-hold.ts'
import { recordHeading } from '#views/show/record-heading.ts'
import type { ActionOffer } from './action-offer.ts'

/** Placeholders name numbers and texts of the record. */
const valuesOf = (record: Row): MessageValues =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )

/** Text of a confirmation about its record, or about a selection. */
export function ConfirmText({ offer, isMany }: { offer: ActionOffer; isMany: boolean }) {
  const sayLabel = useSay()
  const context = useRuleContext()
  const { confirm } = offer.action
  if (!confirm) return null
  if (isMany && confirm.many) return <p>{sayLabel(confirm.many)}</p>
  const record = offer.record ?? {}
  const isTrue = ({ when }: Consequence) => !when || mayHold(when, record, context())
  const also = isMany ? [] : (confirm.also?.filter(isTrue) ?? [])
  return (
    <>
      <p>{sayLabel(confirm.body)}</p>
      {also.map(({ text }) => (
        <p key={text[0]}>{sayLabel(text, valuesOf(record))}</p>
      ))}
    </>
  )
}

/** Title of an action's dialog: what it does, and to which record. A selection and a row of a tab are named in its text. */
export function useActionTitle({ resource, action, record, row }: ActionOffer, isMany: boolean): string {
  const wording = useConsole()
  const sayLabel = useSay()
  if (action.confirm?.title) return sayLabel(action.confirm.title)
  const label = sayLabel(action.label)
  return record && !row && !isMany ? `${label}: ${recordHeading(resource, record, wording)}` : label
}
