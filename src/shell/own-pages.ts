import { isAllowed, type Permissions } from '#schema/permissions.ts'
import { fleetStaff, type Role } from '#schema/roles.ts'
import type { IconName } from '#ui/icon/icon-paths.ts'

/** Permission without which a page has nothing to show: on the resource, or on any. */
export type Need = { resource?: string; action: string }

/** A page of the shell that only some roles have; `word` is its title key. `inMenu`: listed in the menu. */
export type OwnPage = {
  key: string
  href: string
  word: string
  icon: IconName
  roles: readonly Role[]
  needs?: Need
  inMenu?: true
}

export const ownPages: readonly OwnPage[] = [
  {
    key: 'inbox',
    href: '/inbox',
    word: 'nav.inbox',
    icon: 'bell',
    roles: fleetStaff,
    needs: { resource: 'telemetry-warning', action: 'list' },
    inMenu: true,
  },
  { key: 'filling', href: '/filling', word: 'nav.filling', icon: 'upload', roles: ['admin'], needs: { action: 'import' } },
]

export const isMet = ({ resource, action }: Need, permissions: Permissions): boolean =>
  (resource ? [resource] : Object.keys(permissions)).some((name) => isAllowed(permissions, name, action))

/** The pages that are offered, and opened: those of the role whose content the session has. */
export const pagesFor = (role: Role, permissions: Permissions): readonly OwnPage[] =>
  ownPages.filter(({ roles, needs }) => roles.includes(role) && (!needs || isMet(needs, permissions)))
