import { type Definitions, routeOf } from '#schema/definition.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Language, say } from '#schema/words.ts'
import { type IconName, iconPaths } from '#ui/icon/icon-paths.ts'
import type { NavItem } from '#ui/layout/side-nav.tsx'

const isIcon = (name: string | undefined): name is IconName => name !== undefined && Object.hasOwn(iconPaths, name)

/** An icon that a definition names, or a plain list where the kit has none of that name. */
export const iconOf = (resource: AnyResource): IconName => (isIcon(resource.icon) ? resource.icon : 'list')

/** Every list that the role may open, in the order of the definitions. */
export const listedResources = (definitions: Definitions, permissions: Permissions): AnyResource[] =>
  [...definitions.values()].filter((resource) => isAllowed(permissions, resource.name, 'list'))

/** The sections that a menu offers: the lists that are not found otherwise. */
export const menuResources = (definitions: Definitions, permissions: Permissions): AnyResource[] =>
  listedResources(definitions, permissions).filter(({ menu }) => menu !== false)

export const menuItems = (resources: readonly AnyResource[], language: Language): NavItem[] =>
  resources.map((resource) => ({
    key: routeOf(resource),
    label: say(resource.label.many, language),
    href: `/${routeOf(resource)}`,
    icon: iconOf(resource),
  }))

/** The menu's entry that a path belongs to. */
export const menuKeyOf = (pathname: string): string => pathname.split('/')[1] || 'dashboard'
