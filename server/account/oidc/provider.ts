import type { ClientAuth, Configuration } from 'openid-client'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import { oidcProblem } from './oidc-problems.ts'
import type { OidcSettings } from './oidc-settings.ts'

const timeoutS = 8
const keptMs = hourMs
const backOff = { firstMs: 1_000, mostMs: minuteMs } as const

/** Loaded lazily: a server without a provider never needs it. */
export const oidcLibrary = () => import('openid-client')

/** Basic authentication if supported, which is the specification's default; else in the request body. */
async function clientAuth(secret: string | undefined): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await oidcLibrary()
  if (secret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await oidcLibrary()
  // Settings allow an issuer without TLS on localhost only.
  const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(issuer, clientId, undefined, await clientAuth(clientSecret), {
    timeout: timeoutS,
    execute: [...insecure, enableNonRepudiationChecks],
  })
}

/**
 * Discovery of the provider: at the start, then hourly, with back-off after failures, during which callers fail fast. The last
 * successful discovery stays in use meanwhile: nobody waits for a later one, which may be slow or fail.
 */
export class Provider {
  readonly settings: OidcSettings
  #found: { configuration: Configuration; at: number } | undefined
  #underway: Promise<Configuration> | undefined
  #failures = 0
  #retryAt = 0

  constructor(settings: OidcSettings) {
    this.settings = settings
  }

  async configuration(): Promise<Configuration> {
    const found = this.#found
    const isOld = !found || performance.now() - found.at >= keptMs
    const waitMs = this.#retryAt - performance.now()
    if (isOld && waitMs <= 0)
      this.#underway ??= this.#discover().finally(() => {
        this.#underway = undefined
      })
    if (found) return found.configuration
    if (this.#underway) return this.#underway
    throw oidcProblem('oidc.unavailable', { retryAfterS: Math.ceil(waitMs / 1000) })
  }

  async #discover(): Promise<Configuration> {
    try {
      const configuration = await discover(this.settings)
      this.#found = { configuration, at: performance.now() }
      this.#failures = 0
      return configuration
    } catch (error) {
      const delayMs = Math.min(backOff.mostMs, backOff.firstMs * 2 ** this.#failures++)
      this.#retryAt = performance.now() + delayMs
      if (this.#found) return this.#found.configuration
      throw oidcProblem('oidc.unavailable', { retryAfterS: Math.ceil(delayMs / 1000) }, error)
    }
  }
}

const providers = new WeakMap<OidcSettings | object, Provider>()

/** The provider of a server, by its settings. */
export function providerOf(owner: object, settings: OidcSettings): Provider {
  const provider = providers.get(owner) ?? new Provider(settings)
  providers.set(owner, provider)
  return provider
}
