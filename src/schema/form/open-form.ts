import '#schema/later/action-forms.ts'
import { baseOf, type Definitions, mayWrite } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { isTemplate } from '#schema/rule.ts'

/** All fields of a resource's table, from every definition over it, the base first. */
export function fieldsOfTable(definitions: Definitions, resource: AnyResource): Fields {
  const table = baseOf(resource)
  const parts = [...definitions.values()].filter(({ subset }) => subset?.of === table)
  return Object.assign({}, ...parts.map(({ fields }) => fields), (definitions.get(table) ?? resource).fields)
}

/** The resource whose record an action modifies. */
function subjectOf(definitions: Definitions, resource: AnyResource, { through }: Action): AnyResource {
  const field = through === undefined ? undefined : resource.fields[through]
  return (field?.type === 'reference' && definitions.get(field.to)) || resource
}

/** All fields of the record that an action modifies. */
export const subjectFields = (definitions: Definitions, resource: AnyResource, action: Action): Fields =>
  fieldsOfTable(definitions, subjectOf(definitions, resource, action))

/** True for a `set` value taken from the form. */
export const isFormValue = (value: unknown): boolean => typeof value === 'string' && value.startsWith('$form.')

/** True when a form value is written to the field: by name, or through `set`. */
const isTakenFrom = (value: unknown, name: string) =>
  typeof value === 'string' && (value === `$form.${name}` || value.startsWith(`$form.${name}.`))

type Closing = Pick<Action, 'set' | 'writes'>

/** True when the role may not write the field and the action's `writes` does not except it. */
export function isClosed({ writes }: Closing, fields: Fields, name: string, role: Role): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return !!field && !mayWrite(field, role) && !writes?.includes(name)
}

/** Names of fields that the definition writes by itself, from `set` and the constants of `body`, though the role may not. */
export function closedSettings({ form, body, set, writes }: Action, fields: Fields, role: Role): string[] {
  const constants = Object.entries(body ?? {}).filter(([name, value]) => !isTemplate(value) && !Object.hasOwn(form ?? {}, name))
  const given = Object.entries(set ?? {}).filter(([, value]) => !isFormValue(value))
  const names = new Set([...constants, ...given].map(([name]) => name))
  return [...names].filter((name) => isClosed(writes ? { writes } : {}, fields, name, role))
}

function withOpenParts(field: Field, stored: Field | undefined, role: Role): Field {
  if (field.type !== 'group' || stored?.type !== 'group') return field
  const isOpen = (name: string) => !isClosed({}, stored.fields, name, role)
  return { ...field, fields: Object.fromEntries(Object.entries(field.fields).filter(([name]) => isOpen(name))) }
}

/** Names of the fields that a form's value is written to, and the path of what they take: by name, or through `set`. */
export const targetsOf = ({ set }: Action, name: string): [target: string, path: string][] => [
  [name, name],
  ...Object.entries(set ?? {}).flatMap(([target, value]): [string, string][] =>
    isTakenFrom(value, name) ? [[target, String(value).slice('$form.'.length)]] : [],
  ),
]

/**
 * The form of an action for a role, without fields that the role may not write, except those in the action's `writes`. Shared
 * by both ends.
 */
export function openForm(definitions: Definitions, resource: AnyResource, action: Action, role: Role): Fields {
  const fields = subjectFields(definitions, resource, action)
  const open = Object.entries(action.form ?? {}).filter(
    ([name]) => !targetsOf(action, name).some(([target]) => isClosed(action, fields, target, role)),
  )
  return Object.fromEntries(
    open.map(([name, field]) => {
      const isMeant = action.writes?.includes(name)
      return [name, isMeant ? field : withOpenParts(field, Object.hasOwn(fields, name) ? fields[name] : undefined, role)]
    }),
  )
}
