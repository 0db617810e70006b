import { type Definitions, mayRead, mayWrite, pathOf, rolesFor, rolesForAction } from './definition.ts'
import { isImported } from './import-columns.ts'
import type { Permissions, ResourcePermissions } from './permissions.ts'
import { type AnyResource, type Verb, verbs } from './resource.ts'
import type { Role } from './roles.ts'

function permissionsOf(resource: AnyResource, role: Role): ResourcePermissions {
  const may = (verb: Verb) => pathOf(resource, verb) !== undefined && rolesFor(resource, verb).includes(role)
  const names = Object.keys(resource.fields)
  const field = (name: string) => resource.fields[name]
  const hidden = names.filter((name) => {
    const it = field(name)
    return !!it && !mayRead(it, role)
  })
  const locked = names.filter((name) => {
    const it = field(name)
    return !!it && mayRead(it, role) && !mayWrite(it, role)
  })
  const actions = Object.entries(resource.actions ?? {}).filter(([, action]) => rolesForAction(resource, action).includes(role))
  const allowed = Object.fromEntries(verbs.map((verb) => [verb, may(verb)])) as Record<Verb, boolean>
  return { ...allowed, import: isImported(resource, role), actions: actions.map(([name]) => name), hidden, locked }
}

/** The permission snapshot of a role over every resource. */
export function permissionsFor(definitions: Definitions, role: Role): Permissions {
  return Object.fromEntries([...definitions.values()].map((resource) => [resource.name, permissionsOf(resource, role)]))
}
