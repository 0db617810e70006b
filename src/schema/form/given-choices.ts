import '#schema/later/action-forms.ts'
import { optionKeys } from '#schema/facts/choices.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { Role } from '#schema/roles.ts'

/** True for a value that the role may give to the field. */
export const mayGive = (field: Field | undefined, value: unknown, role: Role): boolean =>
  field?.type !== 'enum' || typeof value !== 'string' || (field.givenBy?.[value]?.includes(role) ?? true)

/** Names of the values that the role may not give. */
export const notGiven = (fields: Fields, values: Readonly<Record<string, unknown>>, role: Role): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    mayGive(Object.hasOwn(fields, name) ? fields[name] : undefined, value, role) ? [] : [name],
  )

/** The field with those of its choices that are open. */
export function narrowed(field: Field, isOpen: (choice: string) => boolean): Field {
  if (field.type !== 'enum') return field
  const { options } = field
  const open = optionKeys(options).filter(isOpen)
  const given = Object.entries(options).filter(([choice]) => open.includes(choice))
  return { ...field, options: Array.isArray(options) ? open : Object.fromEntries(given) }
}

/** Fields of a form with the choices that the role may give, and the stored one. */
export const givenChoices = (fields: Fields, role: Role, stored: Readonly<Record<string, unknown>> = {}): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.type === 'enum' && field.givenBy
        ? narrowed(field, (choice) => choice === stored[name] || mayGive(field, choice, role))
        : field,
    ]),
  )
