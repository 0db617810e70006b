import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resources } from '#resources/index.ts'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import { buildApp } from '#server/app/app.ts'
import { readConfig } from '#server/base/config.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'

/** Epoch milliseconds of the server's time of day. */
export type TestClock = { at: number }

/** The time of day, ahead by as much as a test has let pass. */
export class PassingClock implements TestClock {
  #ahead = 0
  get at() {
    return Date.now() + this.#ahead
  }
  set at(time: number) {
    this.#ahead = time - Date.now()
  }
}

export type OpenedServer = {
  app: Api
  database: Database
  context: ServerContext
  /** DATA_DIR of this server alone. */
  folder: string
  clock: TestClock
  /** Ends the server, its database and its folder. */
  close(): Promise<void>
}

type Options = {
  /** Ends with the server. */
  database: Database
  parts: readonly ServerPart[]
  /** The product's, unless a test has its own. */
  definitions?: Definitions
  env?: Record<string, string>
  /** One that stands still, or the time of day. */
  clock?: TestClock
  /** Takes a free port; without it calls are injected. */
  isListening?: boolean
}

/** Harness of all contract tests: the app with the given parts on a database, in one process with the test, silent and without limits. */
export async function openServer(options: Options): Promise<OpenedServer> {
  const { database, parts, definitions = definitionsOf(resources), env = {}, clock = new PassingClock(), isListening } = options
  const folder = await mkdtemp(join(tmpdir(), 'ess-server-'))
  let context: ServerContext | undefined
  const app = await buildApp({
    config: readConfig({ DATA_DIR: folder, RATE_LIMIT_PER_MIN: '1000000', ...env }),
    database,
    definitions,
    clock: () => new Date(clock.at),
    logger: false,
    parts,
    register: (_, given) => {
      context = given
    },
  })
  if (isListening) await app.listen({ host: '127.0.0.1', port: 0 })
  else await app.ready()
  if (!context) throw new Error('the app was built without its context')
  const close = async () => {
    await app.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { app, database, context, folder, clock, close }
}
