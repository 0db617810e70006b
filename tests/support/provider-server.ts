import type { TestEngine } from './databases.ts'
import { type AccountClaims, clientOfConsole, OidcProvider } from './oidc-provider.ts'
import { type Answer, openPeopleServer, type PeopleServer } from './people-server.ts'
import { ProviderBrowser } from './provider-browser.ts'

export const consoleUrl = 'https://console.example'
const redirectUri = `${consoleUrl}/login/provider`

type Begun = { url: string; browser: string }

/** The API of people with a real provider of OpenID Connect beside it. */
export class ProviderServer {
  readonly people: PeopleServer
  readonly provider: OidcProvider
  constructor(people: PeopleServer, provider: OidcProvider) {
    this.people = people
    this.provider = provider
  }

  /** An account of the provider that signs in next. */
  account(name: string, claims: AccountClaims): void {
    this.provider.account = name
    this.provider.accounts.set(name, claims)
  }

  async begin(to?: string): Promise<Begun> {
    const { status, body, text } = await this.people.call('POST', 'auth/oidc', { body: to === undefined ? {} : { to } })
    if (status !== 200) throw new Error(`no way to the provider: ${status} ${text}`)
    return { url: String(body.url), browser: String(body.browser) }
  }

  finish(query: string, browser: string): Promise<Answer> {
    return this.people.call('PUT', 'auth/oidc', { body: { query, browser } })
  }

  /** A whole sign-in with a browser that the provider does not know. */
  async signIn(to?: string): Promise<Answer> {
    const { url, browser } = await this.begin(to)
    const back = await new ProviderBrowser().signIn(url)
    return this.finish(back.search.slice(1), browser)
  }

  /** A whole confirmation by the owner of a token. */
  async confirm(token: string): Promise<Answer> {
    const begun = await this.people.call('POST', 'auth/oidc/confirm', { token })
    const back = await new ProviderBrowser().signIn(String(begun.body.url))
    return this.people.call('PUT', 'auth/oidc/confirm', {
      token,
      body: { query: back.search.slice(1), browser: begun.body.browser },
    })
  }

  async close(): Promise<void> {
    await this.people.close()
    await this.provider.down()
  }
}

type Options = { env?: Record<string, string>; fromUserInfo?: boolean }

/** Starts both. The clock of the server is the time of day, since tokens of the provider have it. */
export async function openProviderServer(engine: TestEngine, { env, fromUserInfo }: Options = {}): Promise<ProviderServer> {
  const provider = await OidcProvider.start(redirectUri, fromUserInfo)
  const people = await openPeopleServer(engine, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientOfConsole.id,
    OIDC_CLIENT_SECRET: clientOfConsole.secret,
    OIDC_LABEL: 'Example ID',
    ...env,
  })
  people.pass((Date.now() - people.now) / 1000)
  return new ProviderServer(people, provider)
}
