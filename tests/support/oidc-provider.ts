import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from './ports.ts'
import { toolScript } from './tools.ts'

/** Claims of the provider about an account; `sub` is its name there. */
export type AccountClaims = {
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
  groups?: string[]
}
type Payload = Record<string, unknown>
type Context = {
  path: string
  body: { id_token?: string } | undefined
  oidc: { provider: Library; client: { clientId: string } }
}
type Library = {
  use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
}
type LibraryClass = new (issuer: string, configuration: object) => Library

export const clientOfConsole = { id: 'console', secret: 'a-secret-of-thirty-two-characters' } as const

const rsaKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

const page = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1>
<form method="post"><button>Sign in at the provider</button></form></main></html>`

/** Silences what the library prints of a runtime that it does not support and of its store in memory. */
async function makeLibrary(issuer: string, settings: object): Promise<Library> {
  const { warn, info } = console
  Object.assign(console, { warn: () => undefined, info: () => undefined })
  try {
    const loaded = await import(/* @vite-ignore */ pathToFileURL(await toolScript('oidc-provider')).href)
    const Provider: LibraryClass = loaded.default
    return new Provider(issuer, settings)
  } finally {
    Object.assign(console, { warn, info })
  }
}

/** Making an RSA key takes a sixth of a second of work, so every provider of a process signs by the same one. */
const [key, otherKey] = [rsaKey(), rsaKey()]

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part = ''): Payload => JSON.parse(Buffer.from(part, 'base64url').toString())

/** A real provider of OpenID Connect on a port of its own, with accounts that a test sets. */
export class OidcProvider {
  readonly issuer: string
  readonly accounts = new Map<string, AccountClaims>()
  /** The account that signs in next, without a password. */
  account = 'anna'
  /** Changes the ID tokens before they leave, signed again by the right key. */
  forge: (payload: Payload) => Payload = (payload) => payload
  /** Signs by a key that the provider does not publish. */
  /** Before each answer. */
  slowMs = 0
  isWrongKey = false
  readonly #port: number
  #server: Server | undefined
  #library: Library | undefined

  private constructor(port: number) {
    this.#port = port
    this.issuer = `http://127.0.0.1:${port}`
  }

  /** `redirectUri`: of the console, exactly. `fromUserInfo`: claims of a person are not in the ID token. */
  static async start(redirectUri: string, fromUserInfo = false): Promise<OidcProvider> {
    const provider = new OidcProvider(await freePort())
    provider.#library = await makeLibrary(provider.issuer, provider.#settings(redirectUri, fromUserInfo))
    provider.#library.use(async (context, next) => {
      await next()
      const token = context.path === '/token' ? context.body?.id_token : undefined
      if (token && context.body) context.body.id_token = provider.#signedAgain(token)
    })
    await provider.up()
    return provider
  }

  #settings(redirectUri: string, fromUserInfo: boolean): object {
    const scopes = 'openid email profile groups'
    const client = { client_id: clientOfConsole.id, client_secret: clientOfConsole.secret, redirect_uris: [redirectUri] }
    return {
      clients: [{ ...client, post_logout_redirect_uris: [new URL('/login', redirectUri).href] }],
      scopes: scopes.split(' '),
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name'],
        groups: ['groups'],
      },
      conformIdTokenClaims: fromUserInfo,
      jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
      cookies: { keys: ['of a test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
      findAccount: (_: Context, sub: string) => ({
        accountId: sub,
        claims: async () => ({ sub, ...this.accounts.get(sub) }),
      }),
      loadExistingGrant: async ({
        oidc,
      }: {
        oidc: { provider: Library; client: { clientId: string }; session: { accountId: string } }
      }) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope(scopes)
        await grant.save()
        return grant
      },
    }
  }

  #signedAgain(token: string): string {
    const [head, body] = token.split('.')
    const signed = `${head}.${encode(this.forge(decode(body)))}`
    const { privateKey } = this.isWrongKey ? otherKey : key
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  }

  async up(): Promise<void> {
    const library = this.#library
    const answer = library?.callback()
    if (!library || !answer) throw new Error('the provider was not made')
    this.#server = createServer(async (request, response) => {
      if (this.slowMs > 0) await sleep(this.slowMs)
      if (!request.url?.startsWith('/interaction/')) return answer(request, response)
      if (request.method === 'POST')
        return library.interactionFinished(request, response, { login: { accountId: this.account } })
      return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    })
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve))
  }

  async down(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)))
  }
}
