import type { Role } from '#schema/roles.ts'
import { demoPassword } from './live-server.ts'

export const accounts: Record<Role, string> = {
  admin: 'admin@example.com',
  moderator: 'moderator@example.com',
  service_engineer: 'engineer@example.com',
  installer: 'installer@example.com',
  client: 'client@example.com',
}

export type Row = Record<string, unknown> & { id: string; version: number }
export type Answer<T = Row> = { status: number; body: T; total: number }

/** The API as another person uses it while the browser is open. */
export class ApiUser {
  readonly #url: string
  readonly token: string
  readonly session: unknown

  constructor(url: string, session: { accessToken: string }) {
    this.#url = url
    this.token = session.accessToken
    this.session = session
  }

  static async signIn(url: string, email: string, password = demoPassword): Promise<ApiUser> {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    if (!answer.ok) throw new Error(`${email} can not sign in: ${answer.status} ${await answer.text()}`)
    return new ApiUser(url, (await answer.json()) as { accessToken: string })
  }

  /** Any call, whatever its answer. */
  async call<T = Row>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const answer = await fetch(`${this.#url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: (text ? JSON.parse(text) : undefined) as T,
      total: Number(answer.headers.get('x-total-count')),
    }
  }

  /** A call that must succeed. */
  async send<T = Row>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: answer } = await this.call<T>(method, path, body)
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }

  get = <T = Row>(path: string) => this.send<T>('GET', path)
  total = async (path: string) => (await this.call('GET', path)).total

  async first(path: string): Promise<Row> {
    const [row] = await this.get<Row[]>(path)
    if (!row) throw new Error(`no row at ${path}`)
    return row
  }
}
