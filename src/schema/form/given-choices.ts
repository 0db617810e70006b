import '#schema/later/action-forms.ts'
import { optionKeys } from '#schema/facts/choices.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import type { Role } from '#schema/roles.ts'

/** True for a choice that the role may give. */
const mayGive = ({ givenBy }: FieldOf<'enum'>, choice: string, role: Role): boolean => givenBy?.[choice]?.includes(role) ?? true

/** Names of the values that the role may not give. */
export const notGiven = (fields: Fields, values: Readonly<Record<string, unknown>>, role: Role): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    return field?.type === 'enum' && typeof value === 'string' && !mayGive(field, value, role) ? [name] : []
  })

function narrowed(field: Field, role: Role, stored: unknown): Field {
  if (field.type !== 'enum' || !field.givenBy) return field
  const { options } = field
  const open = optionKeys(options).filter((choice) => choice === stored || mayGive(field, choice, role))
  const given = Object.entries(options).filter(([choice]) => open.includes(choice))
  return { ...field, options: Array.isArray(options) ? open : Object.fromEntries(given) }
}

/** Fields of a form with the choices that the role may give, and the stored one. */
export const givenChoices = (fields: Fields, role: Role, stored: Readonly<Record<string, unknown>> = {}): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, narrowed(field, role, stored[name])]))
