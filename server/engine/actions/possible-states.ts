import { admits } from '#schema/check/check-steps.ts'
import { fieldOf, mayReadPath } from '#schema/definition.ts'
import { choiceLabel } from '#schema/field-types.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { fieldsOfRule, valueAt } from '#schema/rule.ts'
import { composed, type Label, say } from '#schema/words.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'

const nothing: Label = ['', '']
const possible: Label = ['. It is possible in: {states}', '. Возможно в состояниях: {states}']

/** The states in which an action is possible, as the end of its refusal; empty where the state is not what stands against it. */
export function possibleIn(resource: AnyResource, { when }: Action, record: Row, role: Role): Label {
  if (!when) return nothing
  for (const name of new Set(fieldsOfRule(when))) {
    const field = fieldOf(resource, name)
    if (field?.type !== 'status' || !mayReadPath(resource, role, name)) continue
    const states = Object.keys(field.states).filter((state) => admits(when, name, state))
    if (states.length === 0 || states.includes(String(valueAt(record, name)))) continue
    return composed((language) =>
      say(possible, language, { states: states.map((state) => say(choiceLabel(field, state), language)).join(', ') }),
    )
  }
  return nothing
}
