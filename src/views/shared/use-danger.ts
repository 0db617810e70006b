import '#schema/later/action-forms.ts'
import { useRuleContext } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Confirm } from '#schema/facts/action-facts.ts'
import { mayHold } from './may-hold.ts'

/** True when the confirmed action is dangerous for its record; a selection has none and is taken for the worst. */
export function useDanger(confirm: Confirm | undefined, record: Row | undefined): boolean {
  const context = useRuleContext()
  const danger = confirm?.danger
  return typeof danger === 'object' ? mayHold(danger, record ?? {}, context()) : danger === true
}
