import '#schema/later/action-forms.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'

/** States allowed for a new record: `starts`, else the default, else those without an incoming transition. */
export function startsOf({ states, starts, default: preset }: FieldOf<'status'>): readonly string[] {
  if (starts) return starts
  if (preset !== undefined) return [preset]
  const names = Object.keys(states)
  const followers = new Set(Object.values(states).flatMap(({ next }) => next ?? []))
  const first = names.filter((name) => !followers.has(name))
  return first.length > 0 ? first : names
}

function ofNew(field: Field): Field {
  if (field.type !== 'status') return field
  const starts = startsOf(field)
  return { ...field, states: Object.fromEntries(Object.entries(field.states).filter(([name]) => starts.includes(name))) }
}

/** Fields of a new record, with status options limited to start states. Both ends validate new records with these. */
export const startFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, ofNew(field)]))
