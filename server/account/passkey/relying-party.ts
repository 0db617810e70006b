import { isIP } from 'node:net'
import type { Config } from '#server/base/config.ts'
import { problem } from '#server/base/problems.ts'

/** The relying party: the host that passkeys belong to, and the only origin on which browsers use them. */
export type RelyingParty = { id: string; origin: string }

const loopback = ['127.0.0.1', '[::1]']

const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')

/**
 * From `PUBLIC_URL`; undefined where browsers offer no passkeys: without TLS, and for a bare IP address. A local server is
 * `localhost`, in development too.
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty | undefined {
  const url = new URL(publicUrl)
  if (loopback.includes(url.hostname)) url.hostname = 'localhost'
  const { hostname, origin } = url
  return isSecure(url) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : undefined
}

/** The relying party of a call; where browsers offer no passkeys these routes answer 404. */
export function knownParty(config: Pick<Config, 'publicUrl'>): RelyingParty {
  const rp = relyingPartyOf(config)
  if (!rp) throw problem('not-found')
  return rp
}
