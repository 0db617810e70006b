import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import type { Role } from '#schema/roles.ts'
import { buildApp } from '#server/app/app.ts'
import { parts } from '#server/app/parts.ts'
import { readConfig } from '#server/base/config.ts'
import type { ServerContext } from '#server/base/context.ts'
import { openProductTables, type TestEngine } from './databases.ts'
import { PeopleServer } from './people-server.ts'

const emails: Record<Role, string> = {
  admin: 'admin@example.com',
  moderator: 'moderator@example.com',
  service_engineer: 'engineer@example.com',
  installer: 'installer@example.com',
  client: 'client@example.com',
}

/** The whole server with a demo fleet on a fresh database. */
export class FleetServer extends PeopleServer {
  readonly #tokens = new Map<Role, string>()

  async as(role: Role): Promise<string> {
    const known = this.#tokens.get(role)
    if (known) return known
    const token = await this.tokenOf(emails[role], this.context.config.demoPassword)
    this.#tokens.set(role, token)
    return token
  }

  static async open(engine: TestEngine, env: Record<string, string> = {}): Promise<FleetServer> {
    const database = await openProductTables(engine)
    const folder = await mkdtemp(join(tmpdir(), 'ess-fleet-'))
    const config = readConfig({
      DATA_DIR: folder,
      DEMO: '1',
      DEMO_SIZE: '40',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MIN: '1000000',
      ...env,
    })
    let context: ServerContext | undefined
    const app = await buildApp({
      config,
      database,
      definitions: definitionsOf(resources),
      logger: false,
      parts,
      register: (_, given) => {
        context = given
      },
    })
    await app.ready()
    if (!context) throw new Error('the app was built without its context')
    return new FleetServer({ app, database, context, folder, clock: { at: Date.now() } })
  }

  override async close(): Promise<void> {
    await super.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}
