import { pathOf, rolesFor } from '#schema/definition.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'

/** The pages that a definition has; deleting is a button, not a page. */
export const screens = ['list', 'create', 'show', 'edit'] as const
export type Screen = (typeof screens)[number]

/** What must be allowed before a page is: a child is blocked when its parent is. */
const parents: Record<Screen, readonly Verb[]> = {
  list: [],
  create: ['list'],
  show: [],
  edit: ['show'],
}

/** Whether a page exists at all: there is such a call, and some role may use it. */
export const hasScreen = (resource: AnyResource, screen: Screen): boolean =>
  pathOf(resource, screen) !== undefined && rolesFor(resource, screen).length > 0

/** Whether the holder of a snapshot may open a page. */
export const mayOpen = (permissions: Permissions, resource: AnyResource, screen: Screen): boolean =>
  hasScreen(resource, screen) && [...parents[screen], screen].every((verb) => isAllowed(permissions, resource.name, verb))
