import { pathOf, rolesFor } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'

/** Pages of a definition; deletion is a button without a page. */
export const screens = ['list', 'create', 'show', 'edit'] as const
export type Screen = (typeof screens)[number]

/** True for an existing page: the API call exists and a role may use it. */
export const hasScreen = (resource: AnyResource, screen: Screen): boolean =>
  pathOf(resource, screen) !== undefined && rolesFor(resource, screen).length > 0
