/** A browser at the provider: it keeps cookies, follows redirects, and presses the button of the provider's page. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>()

  async #get(url: string, method: 'GET' | 'POST' = 'GET', form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = form ? { body: form } : {}
    const answer = await fetch(url, { method, redirect: 'manual', headers: cookie ? { cookie } : {}, ...body })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }

  /** Agrees to the sign-out that the provider's page asks about; the address to which it sends the browser back. */
  async signOut(url: string): Promise<URL> {
    const page = await (await this.#get(url)).text()
    const [, action] = /action="([^"]+)"/.exec(page) ?? []
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
    if (!action || !xsrf) throw new Error(`the provider asks for no sign-out: ${page}`)
    const answer = await this.#get(action, 'POST', new URLSearchParams({ xsrf, logout: 'yes' }))
    return new URL(answer.headers.get('location') ?? '', url)
  }

  /** True when the provider asks for a sign-in, false when it knows the browser. */
  async isAsked(url: string): Promise<boolean> {
    const { headers } = await this.#get(url)
    return (headers.get('location') ?? '').includes('/interaction/')
  }

  /** The address to which the provider sends the browser back. */
  async signIn(url: string): Promise<URL> {
    const { origin } = new URL(url)
    let next = new URL(url)
    for (let step = 0; step < 10; step++) {
      const isPage = next.pathname.startsWith('/interaction/')
      const answer = await this.#get(next.href, isPage ? 'POST' : 'GET')
      const location = answer.headers.get('location')
      if (!location) throw new Error(`the provider answers ${answer.status}: ${await answer.text()}`)
      next = new URL(location, next)
      if (next.origin !== origin) return next
    }
    throw new Error('the provider does not send the browser back')
  }
}
