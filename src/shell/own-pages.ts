import { fleetStaff, type Role } from '#schema/roles.ts'
import type { IconName } from '#ui/icon/icon-paths.ts'

/** A page of the shell that only some roles have; `word` is its title key. `inMenu`: listed in the menu. */
export type OwnPage = { key: string; href: string; word: string; icon: IconName; roles: readonly Role[]; inMenu?: true }

export const ownPages: readonly OwnPage[] = [
  { key: 'inbox', href: '/inbox', word: 'nav.inbox', icon: 'bell', roles: fleetStaff, inMenu: true },
  { key: 'filling', href: '/filling', word: 'nav.filling', icon: 'upload', roles: ['admin'] },
]
