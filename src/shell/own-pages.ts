import type { Role } from '#schema/roles.ts'
import type { IconName } from '#ui/icon/icon-paths.ts'

/** A page of the shell that only some roles have and no menu offers; `word` is its name. */
export type OwnPage = { key: string; href: string; word: string; icon: IconName; roles: readonly Role[] }

export const ownPages: readonly OwnPage[] = [
  { key: 'filling', href: '/filling', word: 'nav.filling', icon: 'upload', roles: ['admin'] },
]
