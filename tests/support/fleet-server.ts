import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import type { Role } from '#schema/roles.ts'
import { parts } from '#server/app/parts.ts'
import { openProductTables, type TestEngine } from './databases.ts'
import { openServer } from './open-server.ts'
import { PeopleServer } from './people-server.ts'

/** Accounts of the demo. */
const emailOf = (role: Role) => `${role === 'service_engineer' ? 'engineer' : role}@example.com`

/** The whole server with a demo fleet on a fresh database. */
export class FleetServer extends PeopleServer {
  readonly #tokens = new Map<Role, string>()

  async as(role: Role): Promise<string> {
    const known = this.#tokens.get(role)
    if (known) return known
    const token = await this.tokenOf(emailOf(role), this.context.config.demoPassword)
    this.#tokens.set(role, token)
    return token
  }

  /** `definitions`: the product's, unless a test changes what needs no other tables. */
  static async open(
    engine: TestEngine,
    env: Record<string, string> = {},
    definitions = definitionsOf(resources),
  ): Promise<FleetServer> {
    const database = await openProductTables(engine)
    const settings = { DEMO: '1', DEMO_SIZE: '40', LOG_LEVEL: 'silent', ...env }
    return new FleetServer(await openServer({ database, parts, definitions, env: settings }))
  }
}
