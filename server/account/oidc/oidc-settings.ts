import type { Role } from '#schema/roles.ts'
import type { Config } from '#server/base/config.ts'

/** Redirect path of the console. */
const returnPath = '/login/provider'

export type OidcSettings = {
  issuer: URL
  clientId: string
  clientSecret: string | undefined
  label: string
  scopes: string
  redirectUri: string
  /** The page to return to after a sign-out at the provider; undefined where the provider's session is left alone. */
  signedOutUri: string | undefined
}

/** The provider's settings; undefined when users sign in by password only. */
export function oidcOf(config: Config): OidcSettings | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcLabel, oidcScopes, oidcSignOut, publicUrl } = config
  if (!oidcIssuer || !oidcClientId) return undefined
  const issuer = new URL(oidcIssuer)
  return {
    issuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    label: oidcLabel ?? issuer.host,
    scopes: oidcScopes,
    redirectUri: `${publicUrl}${returnPath}`,
    signedOutUri: oidcSignOut ? `${publicUrl}/login` : undefined,
  }
}

/** True for a role that has no password sign-in. */
export const isProviderOnly = ({ oidcOnly }: Pick<Config, 'oidcOnly'>, role: Role): boolean => oidcOnly.includes(role)
