/** A browser at the provider: it keeps cookies, follows redirects, and presses the button of the provider's page. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>()

  async #get(url: string, method: 'GET' | 'POST' = 'GET'): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { method, redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
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
