import type { Role } from '#schema/roles.ts'
import type { Config } from '#server/base/config.ts'
import type { Claims } from './exchange.ts'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() ? value.trim() : undefined)

/** The e-mail verified by the provider, normalised; undefined when unverified. */
export function verifiedEmail({ all }: Claims): string | undefined {
  // The standard requires a boolean: a text "true" does not count.
  return all.email_verified === true ? textOf(all.email)?.toLowerCase() : undefined
}

/** Names for an account without names. */
export function namesIn({ all }: Claims, email: string): { firstName: string; lastName: string } {
  const firstName = textOf(all.given_name) ?? textOf(all.name) ?? email.slice(0, email.indexOf('@'))
  return { firstName: firstName.slice(0, 64), lastName: (textOf(all.family_name) ?? '—').slice(0, 64) }
}

type RoleConfig = Pick<Config, 'oidcRoles' | 'oidcRolesClaim'>

/** Claims needed for a sign-in: those missing in the ID token are requested from userinfo. */
export const wantedClaims = ({ oidcRoles, oidcRolesClaim }: RoleConfig): string[] => [
  'email',
  'email_verified',
  ...(oidcRoles.length > 0 ? [oidcRolesClaim] : []),
]

/** The role of the first matching row. `kept`: roles are managed in the console; `none`: no row matches. */
export function roleIn({ all }: Claims, { oidcRoles, oidcRolesClaim }: RoleConfig): Role | 'kept' | 'none' {
  if (oidcRoles.length === 0) return 'kept'
  const claimed: unknown = all[oidcRolesClaim]
  const values: readonly unknown[] = Array.isArray(claimed) ? claimed : [claimed]
  return oidcRoles.find(({ value }) => values.includes(value))?.role ?? 'none'
}
