import type { Role } from '#schema/roles.ts'
import type { Config } from '#server/base/config.ts'
import type { Claims } from './exchange.ts'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() ? value.trim() : undefined)

/** The address that the provider has verified, in the form in which accounts have it; undefined for any other. */
export function verifiedEmail({ all }: Claims): string | undefined {
  // A text "true" is no statement of a provider that keeps to the standard.
  return all.email_verified === true ? textOf(all.email)?.toLowerCase() : undefined
}

/** Names for an account that has none yet. */
export function namesIn({ all }: Claims, email: string): { firstName: string; lastName: string } {
  const firstName = textOf(all.given_name) ?? textOf(all.name) ?? email.slice(0, email.indexOf('@'))
  return { firstName: firstName.slice(0, 64), lastName: (textOf(all.family_name) ?? '—').slice(0, 64) }
}

type RoleConfig = Pick<Config, 'oidcRoles' | 'oidcRolesClaim'>

/** Claims that a sign-in needs: what the ID token leaves out is asked for apart. */
export const wantedClaims = ({ oidcRoles, oidcRolesClaim }: RoleConfig): string[] => [
  'email',
  'email_verified',
  ...(oidcRoles.length > 0 ? [oidcRolesClaim] : []),
]

/** The role of the first row that fits. `kept`: roles are given in the console; `none`: no row fits. */
export function roleIn({ all }: Claims, { oidcRoles, oidcRolesClaim }: RoleConfig): Role | 'kept' | 'none' {
  if (oidcRoles.length === 0) return 'kept'
  const claimed: unknown = all[oidcRolesClaim]
  const values: readonly unknown[] = Array.isArray(claimed) ? claimed : [claimed]
  return oidcRoles.find(({ value }) => values.includes(value))?.role ?? 'none'
}
