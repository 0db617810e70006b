import { type Verb, verbs } from './resource.ts'
import { topOf } from './rule.ts'

/** Permissions of a role on a resource. `hidden` and `locked` list fields that it cannot read, or sees read-only. */
export type ResourcePermissions = Record<Verb, boolean> & {
  /** Records may be imported. */
  import: boolean
  actions: readonly string[]
  hidden: readonly string[]
  locked: readonly string[]
}
/** Permission snapshot of a session, from GET /auth/me; evaluated without further requests. */
export type Permissions = Readonly<Record<string, ResourcePermissions>>

const nothing: ResourcePermissions = {
  list: false,
  show: false,
  create: false,
  edit: false,
  delete: false,
  import: false,
  actions: [],
  hidden: [],
  locked: [],
}

/** Permissions of one resource; none for an unknown one, nor for what a server leaves out. */
export const permissionsIn = (permissions: Permissions, name: string): ResourcePermissions => ({
  ...nothing,
  ...permissions[name],
})

/** True when the viewer may read the value at a path. */
export const isReadable = (permissions: Permissions, name: string, path: string): boolean =>
  !permissionsIn(permissions, name).hidden.includes(topOf(path))

/** A verb requires its parent. */
const parents: Partial<Record<Verb, Verb>> = { create: 'list', show: 'list', edit: 'show', delete: 'show' }

/**
 * The console's only permission check, used by routes, menu, buttons and Refine's access-control provider. `action` is a verb,
 * `import`, or an action of the definition. A tab requires `show` of its record.
 */
export function isAllowed(permissions: Permissions, name: string, action: string): boolean {
  const own = permissionsIn(permissions, name)
  const verb = verbs.find((word) => word === action)
  if (action === 'import') return own.import
  if (!verb) return own.actions.includes(action)
  const parent = parents[verb]
  return own[verb] && (!parent || isAllowed(permissions, name, parent))
}
