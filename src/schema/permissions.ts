import { type Verb, verbs } from './resource.ts'

/** Permissions of a role on a resource. Field names are those hidden from it, or shown read-only. */
export type ResourcePermissions = Record<Verb, boolean> & {
  /** Records may be brought in by a file. */
  import: boolean
  actions: readonly string[]
  hidden: readonly string[]
  locked: readonly string[]
}
/** The snapshot of a session: answered by GET /auth/me, evaluated without asking again. */
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

/** Permissions of one resource; nothing for a resource that the snapshot does not know. */
export const permissionsIn = (permissions: Permissions, name: string): ResourcePermissions => permissions[name] ?? nothing

/** True when the snapshot leaves the value at a path of a record to be read. */
export const isReadable = (permissions: Permissions, name: string, path: string): boolean =>
  !permissionsIn(permissions, name).hidden.includes(path.split('.')[0] ?? path)

/** A child is blocked when its parent is. */
const parents: Partial<Record<Verb, Verb>> = { create: 'list', show: 'list', edit: 'show', delete: 'show' }

/**
 * The one decision of the console: routes, menu and buttons ask it, and so does Refine's access-control provider.
 * Takes a verb, `import`, or an action of the definition. A tab needs the `show` of its record.
 */
export function isAllowed(permissions: Permissions, name: string, action: string): boolean {
  const own = permissionsIn(permissions, name)
  const verb = verbs.find((word) => word === action)
  if (action === 'import') return own.import
  if (!verb) return own.actions.includes(action)
  const parent = parents[verb]
  return own[verb] && (!parent || isAllowed(permissions, name, parent))
}
