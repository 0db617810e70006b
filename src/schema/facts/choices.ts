import type { Field, FieldOf } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import type { Choice } from './field-facts.ts'

export type ChoiceField = FieldOf<'enum'> | FieldOf<'status'>
export const hasChoices = (field: Field): field is ChoiceField => field.type === 'enum' || field.type === 'status'

const isPlainOptions = (options: Choice['options']): options is readonly string[] => Array.isArray(options)

/** The keys of options, which stand alone or with labels, in the order of the definition. */
export const optionKeys = (options: Choice['options']): string[] =>
  isPlainOptions(options) ? [...options] : Object.keys(options)

/** The keys of an enum's options or a status field's states, in the order of the definition. */
export function choicesOf(field: ChoiceField): string[] {
  return field.type === 'status' ? Object.keys(field.states) : optionKeys(field.options)
}

/** The values that a field allows, as text; undefined when it takes any. */
export function choicesIn(field: Field): readonly string[] | undefined {
  if (hasChoices(field)) return choicesOf(field)
  if (field.type === 'tags') return field.options && optionKeys(field.options)
  return field.type === 'integer' && field.options ? Object.keys(field.options) : undefined
}

/** The label of a choice; defaults to the choice itself. */
export function choiceLabel(field: ChoiceField, value: string): Label {
  if (field.type === 'status') return field.states[value]?.label ?? [value, value]
  return (isPlainOptions(field.options) ? undefined : field.options[value]) ?? [value, value]
}
