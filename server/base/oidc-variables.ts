import { isRole, type Role, roles } from '#schema/roles.ts'
import { flag, loopback, roleNames, word } from './setting-values.ts'

/** Without TLS an attacker on the network could sign in as anyone. */
const isSafe = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
}

/** A value of the roles claim and its role; the first matching row wins. */
export type ClaimedRole = { value: string; role: Role }

const claimedRoles = word.transform((text, context): ClaimedRole[] => {
  const rows = text.split(',').map((row) => row.trim())
  const parsed = rows.flatMap((row): ClaimedRole[] => {
    const at = row.lastIndexOf(':')
    const [value, role] = [row.slice(0, at).trim(), row.slice(at + 1).trim()]
    return at > 0 && value && isRole(role) ? [{ value, role }] : []
  })
  if (parsed.length < rows.length)
    context.addIssue(`write value:role with commas, like ops-admins:admin; the roles are ${roles.join(', ')}`)
  return parsed
})

/** Environment variables of sign-in through an OpenID Connect provider. */
export const oidcVariables = {
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    schema: word.refine(isSafe, 'use an address that starts with https://; http:// is for localhost').optional(),
    absent: 'password sign-in only',
    about: 'OpenID Connect provider for sign-in: its issuer address',
  },
  oidcClientId: {
    name: 'OIDC_CLIENT_ID',
    schema: word.max(255).optional(),
    absent: '',
    about: 'Client id of this console at the provider; the redirect address is PUBLIC_URL/login/provider',
  },
  oidcClientSecret: {
    name: 'OIDC_CLIENT_SECRET',
    schema: word.max(1000).optional(),
    absent: 'public client: PKCE alone',
    about: 'Client secret at the provider',
  },
  oidcLabel: {
    name: 'OIDC_LABEL',
    schema: word.max(40, 'use at most 40 characters').optional(),
    absent: 'host name of the issuer',
    about: 'Name of the provider on the sign-in button',
  },
  oidcScopes: {
    name: 'OIDC_SCOPES',
    schema: word.regex(/^openid( [\w:./-]+)*$/, 'begin with openid, with spaces between').default('openid email profile'),
    absent: 'openid email profile',
    about: 'Scopes that the provider is asked for',
  },
  oidcRolesClaim: {
    name: 'OIDC_ROLES_CLAIM',
    schema: word.max(200).default('groups'),
    absent: 'groups',
    about: 'Claim that OIDC_ROLES reads: a text or a list of texts',
  },
  oidcRoles: {
    name: 'OIDC_ROLES',
    schema: claimedRoles.default([]),
    absent: 'roles are given in the console',
    about: 'Roles by value of that claim, the first that fits: ops-admins:admin,ops-eng:service_engineer',
  },
  oidcOnly: {
    name: 'OIDC_ONLY',
    schema: roleNames.default([]),
    absent: 'none',
    about: 'Roles that sign in through the provider only, with commas: admin,moderator',
  },
  oidcSignOut: {
    name: 'OIDC_SIGN_OUT',
    schema: flag.default(false),
    absent: 'false',
    about:
      'true: a sign-out also ends the session at the provider, which must know PUBLIC_URL/login as an address to return to',
  },
} as const

type Given = {
  oidcIssuer?: string | undefined
  oidcClientId?: string | undefined
  oidcRoles: readonly ClaimedRole[]
  oidcOnly: readonly Role[]
}

/** Settings that have no effect without a provider, or that would lock everyone out. */
export function oidcFaults({ oidcIssuer, oidcClientId, oidcRoles, oidcOnly }: Given): string[] {
  if (!oidcIssuer !== !oidcClientId) return ['OIDC_ISSUER and OIDC_CLIENT_ID: set both or none']
  if (!oidcIssuer && oidcRoles.length > 0) return ['OIDC_ROLES: set OIDC_ISSUER, too']
  return !oidcIssuer && oidcOnly.length > 0 ? ['OIDC_ONLY: set OIDC_ISSUER, too; without it these roles can not sign in'] : []
}
