import { isRole, type Role } from '#schema/roles.ts'
import { ApiUser, accounts } from '#tests/e2e/support/api-user.ts'
import type { Json } from '#tests/prove/proven.ts'
import type { Reply, Transport } from '#tests/prove/transport.ts'

/** The API of a server with the demo accounts, called by that of a role. */
export class PeopleTransport implements Transport {
  readonly #url: string
  readonly #users = new Map<Role, Promise<ApiUser>>()

  constructor(url: string) {
    this.#url = url
  }

  #user(role: Role): Promise<ApiUser> {
    const user = this.#users.get(role) ?? ApiUser.signIn(this.#url, accounts[role])
    this.#users.set(role, user)
    return user
  }

  call: Transport['call'] = async (method, path, { as = 'admin', body, headers = {} } = {}) => {
    const { token } = await this.#user(isRole(as) ? as : 'admin')
    const isBytes = body instanceof Uint8Array
    const type: Record<string, string> = body === undefined || isBytes ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${this.#url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const parsed: unknown = /^[[{]/.test(text) ? JSON.parse(text) : {}
    const reply: Reply = {
      status: answer.status,
      body: Object(parsed),
      rows: Array.isArray(parsed) ? (parsed as Json[]) : [],
      text,
    }
    return reply
  }
}
