import type { FastifyBaseLogger } from 'fastify'
import type { Attempt, BegunAttempt } from './attempt.ts'
import { oidcProblem } from './oidc-problems.ts'
import { oidcLibrary, type Provider } from './provider.ts'

/** Claims about a user from the ID token and userinfo. */
export type Claims = {
  issuer: string
  subject: string
  authTimeS: number | undefined
  all: Readonly<Record<string, unknown>>
  idToken: string
}

/** Authorisation URL. `again`: forces a new sign-in even with a session at the provider. */
export async function addressOfProvider(provider: Provider, begun: BegunAttempt, again: boolean): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await oidcLibrary()
  const { redirectUri, scopes } = provider.settings
  const url = buildAuthorizationUrl(await provider.configuration(), {
    redirect_uri: redirectUri,
    scope: scopes,
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: await calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
    ...(again && { prompt: 'login', max_age: '0' }),
  })
  return url.href
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError ||
  Reflect.get(Object(error), 'code') === 'OAUTH_TIMEOUT' ||
  Reflect.get(Object(error), 'status') >= 500

/**
 * Exchanges the code for a user's claims. The library verifies state, PKCE, nonce, issuer, audience, times and signature; every
 * rejection is the same problem, and its reason is logged.
 */
export async function claimsOf(
  provider: Provider,
  { query, attempt, wanted, log }: { query: string; attempt: Attempt; wanted: readonly string[]; log: FastifyBaseLogger },
): Promise<Claims> {
  const configuration = await provider.configuration()
  const { authorizationCodeGrant, fetchUserInfo } = await oidcLibrary()
  try {
    const tokens = await authorizationCodeGrant(configuration, new URL(`${provider.settings.redirectUri}?${query}`), {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
    const signed = tokens.claims()
    if (!signed) throw new Error('the provider has answered no ID token')
    const isComplete = wanted.every((name) => signed[name] !== undefined)
    const more =
      isComplete || !configuration.serverMetadata().userinfo_endpoint
        ? {}
        : await fetchUserInfo(configuration, tokens.access_token, signed.sub)
    const { iss: issuer, sub: subject, auth_time: authTimeS } = signed
    return { issuer, subject, authTimeS, all: { ...more, ...signed }, idToken: tokens.id_token ?? '' }
  } catch (error) {
    const { code, error: said, message } = Object(error)
    log.warn({ code, said, reason: message }, 'the sign-in provider refused, or its answer was refused')
    throw oidcProblem(isUnreachable(error) ? 'oidc.unavailable' : 'oidc.refused', {}, error)
  }
}
