import type { Wording } from '#fields/field-kind.ts'
import { type Definitions, listOf, routeOf } from '#schema/definition.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { type Language, say } from '#schema/words.ts'
import { iconOf, listedResources, menuResources } from '#shell/menu/menu-items.ts'
import { pagesFor } from '#shell/own-pages.ts'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { recordHeading } from '#views/show/record-heading.ts'
import { hitDetail } from './hit-detail.ts'

/** One entry of the palette, which links to an address. */
export type PaletteEntry = {
  key: string
  group: string
  label: string
  detail?: string | undefined
  icon: IconName
  href: string
}

type Facts = {
  definitions: Definitions
  permissions: Permissions
  role: Role
  language: Language
  words: (key: string) => string
}

function pagesOf(facts: Facts): PaletteEntry[] {
  const { definitions, permissions, role, language, words } = facts
  const group = words('palette.pages')
  const sections = listedResources(definitions, permissions).map(
    (resource): PaletteEntry => ({
      key: `list-${resource.name}`,
      group,
      label: say(resource.label.many, language),
      icon: iconOf(resource),
      href: `/${routeOf(resource)}`,
    }),
  )
  // In the order of the menu: what stands there comes first.
  const own = (isListed: boolean) =>
    pagesFor(role, permissions)
      .filter(({ inMenu = false }) => inMenu === isListed)
      .map(({ key, word, icon, href }): PaletteEntry => ({ key, group, label: words(word), icon, href }))
  return [
    { key: 'dashboard', group, label: words('nav.dashboard'), icon: 'dashboard', href: '/' },
    ...own(true),
    ...sections,
    ...own(false),
    { key: 'profile', group, label: words('nav.profile'), icon: 'user', href: '/profile' },
  ]
}

function commandsOf({ definitions, permissions, language, words }: Facts): PaletteEntry[] {
  return [...definitions.values()]
    .filter((resource) => isAllowed(permissions, resource.name, 'create'))
    .map((resource) => ({
      key: `create-${resource.name}`,
      group: words('palette.commands'),
      label: `${words('buttons.create')}: ${say(resource.label.one, language)}`,
      icon: 'plus',
      href: `/${routeOf(resource)}/create`,
    }))
}

const matches = (label: string, text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word))

/** Pages and commands whose name contains every word of the text. */
export const commandEntries = (facts: Facts, text: string): PaletteEntry[] =>
  [...pagesOf(facts), ...commandsOf(facts)].filter(({ label }) => matches(label, text.trim()))

/** Searched resources: lists with search whose records can be opened. */
export const searchedResources = (definitions: Definitions, permissions: Permissions): AnyResource[] =>
  menuResources(definitions, permissions).filter(
    (resource) => listOf(resource).search.length > 0 && isAllowed(permissions, resource.name, 'show'),
  )

export function recordEntry(
  resource: AnyResource,
  record: Readonly<Record<string, unknown>>,
  wording: Wording & { definitions: Definitions },
): PaletteEntry {
  const label = recordHeading(resource, record, wording)
  return {
    key: `${resource.name}-${record.id}`,
    group: say(resource.label.many, wording.language),
    label,
    detail: hitDetail(resource, { row: record, label }, wording),
    icon: iconOf(resource),
    href: `/${routeOf(resource)}/${encodeURIComponent(String(record.id))}`,
  }
}
