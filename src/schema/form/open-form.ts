import '#schema/later/action-forms.ts'
import { baseOf, type Definitions, mayWrite } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'

/** The fields of a resource's table: its own and those of the definitions that share it, the whole one's first. */
export function fieldsOfTable(definitions: Definitions, resource: AnyResource): Fields {
  const table = baseOf(resource)
  const parts = [...definitions.values()].filter(({ subset }) => subset?.of === table)
  return Object.assign({}, ...parts.map(({ fields }) => fields), (definitions.get(table) ?? resource).fields)
}

/** The resource whose record an action changes. */
function subjectOf(definitions: Definitions, resource: AnyResource, { through }: Action): AnyResource {
  const field = through === undefined ? undefined : resource.fields[through]
  return (field?.type === 'reference' && definitions.get(field.to)) || resource
}

/** True when a value of the form ends in the field: by its name, or since `set` takes it over. */
const isTakenFrom = (value: unknown, name: string) =>
  typeof value === 'string' && (value === `$form.${name}` || value.startsWith(`$form.${name}.`))

type Closing = Pick<Action, 'set' | 'writes'>

/** True for a field that the role may not write, and the action does not say that it writes it all the same. */
export function isClosed({ writes }: Closing, fields: Fields, name: string, role: Role): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return !!field && !mayWrite(field, role) && !writes?.includes(name)
}

function withOpenParts(field: Field, stored: Field | undefined, role: Role): Field {
  if (field.type !== 'group' || stored?.type !== 'group') return field
  const isOpen = (name: string) => !isClosed({}, stored.fields, name, role)
  return { ...field, fields: Object.fromEntries(Object.entries(field.fields).filter(([name]) => isOpen(name))) }
}

/**
 * The form of an action as a role may fill it in: without values for fields of the record that the role may not write, unless
 * the action's `writes` names them. Both ends ask here.
 */
export function openForm(definitions: Definitions, resource: AnyResource, action: Action, role: Role): Fields {
  const fields = fieldsOfTable(definitions, subjectOf(definitions, resource, action))
  const targets = (name: string) => [
    name,
    ...Object.entries(action.set ?? {}).flatMap(([target, value]) => (isTakenFrom(value, name) ? [target] : [])),
  ]
  const open = Object.entries(action.form ?? {}).filter(
    ([name]) => !targets(name).some((target) => isClosed(action, fields, target, role)),
  )
  return Object.fromEntries(
    open.map(([name, field]) => {
      const isMeant = action.writes?.includes(name)
      return [name, isMeant ? field : withOpenParts(field, Object.hasOwn(fields, name) ? fields[name] : undefined, role)]
    }),
  )
}

/** True for a value of `set` that stands for one of the form. */
export const isOfForm = (value: unknown): boolean => typeof value === 'string' && value.startsWith('$form.')
