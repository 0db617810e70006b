import '#schema/later/action-forms.ts'
import { useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Consequence } from '#schema/facts/action-facts.ts'
import type { MessageValues } from '#schema/format/message.ts'
import { mayHold } from '#views/shared/may-hold.ts'
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
