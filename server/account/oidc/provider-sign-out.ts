import { sql } from 'kysely'
import type { Config } from '#server/base/config.ts'
import type { ServerContext } from '#server/base/context.ts'
import { vaultOf } from '#server/base/secret-vault.ts'
import { withTimeLimit } from '#server/base/time-limit.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { oidcOf } from './oidc-settings.ts'
import { oidcLibrary, providerOf } from './provider.ts'

/** The browser shows the sign-in page meanwhile, and does not leave it any more after a second. */
const patienceMs = 900
/** A longer one makes addresses that servers refuse; the provider then asks the user. */
const longestHint = 4_000

/**
 * The ID token as the session keeps it for a sign-out at the provider; null where none is wanted. It names the person: without
 * a key to seal it, and where it is too long to be sent, only that the provider has opened the session is kept.
 */
export function sealedTokenFor(config: Config, userId: string, idToken: string): string | null {
  if (oidcOf(config)?.signedOutUri === undefined) return null
  const vault = vaultOf(config)
  return vault.seals && idToken.length <= longestHint ? vault.seal(idToken, userId) : ''
}

/** The sealed token of a session, before it ends; undefined when another method opened the session. */
export async function sealedTokenOf(db: Queryable, sessionId: string): Promise<string | undefined> {
  const row = await rowOf(
    db,
    sql<{ token: string | null }>`select "providerToken" as "token" from "session" where "id" = ${sessionId}`,
  )
  return row?.token ?? undefined
}

/**
 * RP-initiated logout: where the browser ends the provider's session. Undefined when the provider has no such page, does not
 * answer in time, or the setting leaves its session alone.
 */
export async function providerSignOutUrl(
  { config, log }: Pick<ServerContext, 'config' | 'log'>,
  { userId, token }: { userId: string; token: string },
): Promise<string | undefined> {
  const settings = oidcOf(config)
  if (settings?.signedOutUri === undefined) return undefined
  const provider = providerOf(config, settings)
  const time = { signal: new AbortController().signal, timeoutMs: patienceMs }
  try {
    const late = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    const configuration = await withTimeLimit(time, (signal) => Promise.race([provider.configuration(), late(signal)]))
    if (!configuration.serverMetadata().end_session_endpoint) return undefined
    const hint = token === '' ? undefined : vaultOf(config).open(token, userId)
    const { buildEndSessionUrl } = await oidcLibrary()
    return buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: settings.signedOutUri,
      ...(hint && { id_token_hint: hint }),
    }).href
  } catch (error) {
    log.warn(error, 'no sign-out at the provider')
    return undefined
  }
}
