import '#schema/later/action-forms.ts'
import type { Fields } from '#schema/field-types.ts'
import type { Action } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { valueAt } from '#schema/rule.ts'
import { mayGive, narrowed } from './given-choices.ts'
import { targetsOf } from './open-form.ts'

/** `fields`: those of the record that the action is about; `stored`: its values. */
type Giving = {
  action: Action
  form: Fields
  fields: Fields
  role: Role
  stored?: Readonly<Record<string, unknown>> | undefined
}

const fieldIn = (fields: Fields, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined)

/** The fields that take a value of the form: the form's own, and those of the record. What the record has is not given. */
const takersOf = ({ action, form, fields, role, stored = {} }: Giving, name: string) =>
  [{ field: form[name], target: name, path: name }]
    .concat(targetsOf(action, name).map(([target, path]) => ({ field: fieldIn(fields, target), target, path })))
    .map(({ field, target, path }) => ({
      path,
      takes: (value: unknown) => value === stored[target] || mayGive(field, value, role),
    }))

/** The form of an action with the choices that the role may give, and those that the record has. */
export const givenForm = (giving: Giving): Fields =>
  Object.fromEntries(
    Object.entries(giving.form).map(([name, field]) => {
      const takers = takersOf(giving, name).filter(({ path }) => path === name)
      return [name, narrowed(field, (choice) => takers.every(({ takes }) => takes(choice)))]
    }),
  )

/** Names of the form's fields with a choice that the role may not give. */
export const notGivenInForm = (giving: Giving, values: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(giving.form).filter((name) => takersOf(giving, name).some(({ path, takes }) => !takes(valueAt(values, path))))
