import { type Definitions, mayRead, mayWrite, pathOf, rolesFor, rolesForAction } from './definition.ts'
import { type AnyResource, type Verb, verbs } from './resource.ts'
import type { Role } from './roles.ts'

/** Permissions of a role on a resource. Field names are those hidden from it, or shown read-only. */
export type ResourcePermissions = Record<Verb, boolean> & {
  actions: readonly string[]
  hidden: readonly string[]
  locked: readonly string[]
}
/** The snapshot of a session: answered by GET /auth/me, evaluated without asking again. */
export type Permissions = Readonly<Record<string, ResourcePermissions>>

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
  return { ...allowed, actions: actions.map(([name]) => name), hidden, locked }
}

/** The permission snapshot of a role over every resource. */
export function permissionsFor(definitions: Definitions, role: Role): Permissions {
  return Object.fromEntries([...definitions.values()].map((resource) => [resource.name, permissionsOf(resource, role)]))
}

const nothing: ResourcePermissions = {
  list: false,
  show: false,
  create: false,
  edit: false,
  delete: false,
  actions: [],
  hidden: [],
  locked: [],
}

/** Permissions of one resource; nothing for a resource that the snapshot does not know. */
export const permissionsIn = (permissions: Permissions, name: string): ResourcePermissions => permissions[name] ?? nothing

/** A child is blocked when its parent is. */
const parents: Partial<Record<Verb, Verb>> = { create: 'list', show: 'list', edit: 'show', delete: 'show' }

/**
 * The one decision of the console: routes, menu and buttons ask it, and so does Refine's access-control provider.
 * Takes a verb or an action of the definition. A tab needs the `show` of its record.
 */
export function isAllowed(permissions: Permissions, name: string, action: string): boolean {
  const own = permissionsIn(permissions, name)
  const verb = verbs.find((word) => word === action)
  if (!verb) return own.actions.includes(action)
  const parent = parents[verb]
  return own[verb] && (!parent || isAllowed(permissions, name, parent))
}
