import type { Role } from '#schema/roles.ts'
import { homeFacts } from '#tests/support/home-facts.ts'
import type { Answer, PeopleServer } from './people-server.ts'

type Body = Record<string, unknown>

/** The calls of one person. */
export const callerWith = (server: PeopleServer, token: string | undefined) => ({
  get: (path: string) => server.call('GET', path, { token }),
  post: (path: string, body?: unknown) => server.call('POST', path, { token, body }),
  put: (path: string, body?: unknown) => server.call('PUT', path, { token, body }),
  delete: (path: string, body?: unknown) => server.call('DELETE', path, { token, body }),
})

export type Caller = ReturnType<typeof callerWith>
export type Person = Caller & { id: string; email: string }

export const rowsOf = ({ text }: Answer): Body[] => JSON.parse(text)
export const idsOf = (answer: Answer) => rowsOf(answer).map(({ id }) => id)

let count = 0
const next = () => {
  count += 1
  return count
}

/** Makes people, systems and boards that nobody else touches. */
export class Maker {
  readonly #server: PeopleServer
  readonly admin: Caller

  constructor(server: PeopleServer, adminToken: string) {
    this.#server = server
    this.admin = callerWith(server, adminToken)
  }

  async person(role: Role): Promise<Person> {
    const email = `${role.replace('_', '-')}-${next()}@test.example`
    const { id, token } = await this.#server.signedIn({ email, role })
    return { id, email, ...callerWith(this.#server, token) }
  }

  async made(path: string, body: Body): Promise<Body & { id: string; version: number }> {
    const answer = await this.admin.post(path, body)
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return answer.body as Body & { id: string; version: number }
  }

  essFacts(code = `REL-${String(next()).padStart(5, '0')}`): Body {
    return {
      code,
      name: 'House of a test',
      ...homeFacts,
    }
  }

  ess = (facts: Body = {}) => this.made('ess', { ...this.essFacts(), ...facts })

  board = () => {
    const uid = `AB${next().toString(16).padStart(10, '0')}`.toUpperCase()
    return this.made('control-pcb', { code: `PCB-${uid}`, uid, hardwareRevision: 'A1' })
  }

  /** Assigns a service engineer to an ESS, as after an accepted invitation. */
  async assign(essId: string, engineer: Person, scope = 'FULL'): Promise<void> {
    await this.admin.post(`ess/${essId}/invite-service-engineer`, { userId: engineer.id, scope })
    const token = await this.#server.linkTo(engineer.email, '/invitation/complete')
    const answer = await this.#server.call('PUT', 'user/invitation/complete', { body: { token } })
    if (answer.status !== 200) throw new Error(`the invitation was not taken: ${answer.text}`)
  }
}
