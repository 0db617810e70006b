import { type Definitions, routeOf } from '#schema/definition.ts'
import { menuGroups } from '#schema/facts/menu-facts.ts'
import { menuCountOf } from '#schema/figures.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import { type IconName, iconPaths } from '#ui/icon/icon-paths.ts'
import type { NavItem } from '#ui/layout/side-nav.tsx'

const isIcon = (name: string | undefined): name is IconName => name !== undefined && Object.hasOwn(iconPaths, name)

/** The definition's icon, or a list icon when the kit lacks it. */
export const iconOf = (resource: AnyResource): IconName => (isIcon(resource.icon) ? resource.icon : 'list')

/** Lists that the role may open, in definition order. */
export const listedResources = (definitions: Definitions, permissions: Permissions): AnyResource[] =>
  [...definitions.values()].filter((resource) => isAllowed(permissions, resource.name, 'list'))

const isInMenu = ({ menu }: AnyResource) => menu !== false

/** Sections of the menu: lists that are not reached from elsewhere. */
export const menuResources = (definitions: Definitions, permissions: Permissions): AnyResource[] =>
  listedResources(definitions, permissions).filter(isInMenu)

const groupOf = ({ menu }: AnyResource) => (menu ? menu.group : undefined)

export type MenuSection = { key: string; label?: string; resources: readonly AnyResource[] }

/** Menu sections by group; a list without a group comes last. Empty groups are omitted. */
export function menuSections(resources: readonly AnyResource[], language: Language): MenuSection[] {
  const named = Object.entries<Label>(menuGroups).map(([key, label]) => ({
    key,
    label: say(label, language),
    resources: resources.filter((resource) => groupOf(resource) === key),
  }))
  const others = { key: 'others', resources: resources.filter((resource) => groupOf(resource) === undefined) }
  return [...named, others].filter((section) => section.resources.length > 0)
}

function countIn(resource: AnyResource, language: Language, counts: Readonly<Record<string, number>>) {
  const fact = menuCountOf(resource)
  return fact && { of: counts[resource.name] ?? 0, tone: fact.tone, label: say(fact.label, language) }
}

/** Address of a menu entry: the list, or the part of it that most people look for. */
function hrefOf(resource: AnyResource): string {
  const filters = resource.menu ? resource.menu.filters : undefined
  const query = Object.entries(filters ?? {}).flatMap(([key, value]) => [value].flat().map((each) => [key, String(each)]))
  return `/${routeOf(resource)}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`
}

export const menuItem = (resource: AnyResource, language: Language, counts: Readonly<Record<string, number>>): NavItem => ({
  key: routeOf(resource),
  label: say(resource.label.many, language),
  href: hrefOf(resource),
  icon: iconOf(resource),
  count: countIn(resource, language, counts),
})

const listsInTab = (resource: AnyResource, name: string) =>
  Object.values(resource.tabs ?? {}).some((tab) => 'resource' in tab && tab.resource === name)

/** Section of a path: its first step. */
export const sectionKeyOf = (pathname: string): string => pathname.split('/')[1] || 'dashboard'

/** Menu entry of a path; a resource without one is marked at the first that lists it in a tab. */
export function menuKeyOf(pathname: string, listed: readonly AnyResource[]): string {
  const key = sectionKeyOf(pathname)
  const shown = listed.find((resource) => routeOf(resource) === key)
  if (shown?.menu !== false) return key
  const entry = listed.find((resource) => isInMenu(resource) && listsInTab(resource, shown.name))
  return entry ? routeOf(entry) : key
}
