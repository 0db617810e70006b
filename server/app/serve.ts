import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { type Config, readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import { misspeltSettings } from '#server/base/misspelt-settings.ts'
import { productName } from '#server/base/product.ts'
import { explained, StartError } from '#server/base/start-error.ts'
import { offerCopies } from '#server/db/backup/backup-socket.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { DatabaseClock } from '#server/db/database-clock.ts'
import { migrate } from '#server/db/migrate.ts'
import { usualLoad } from '#server/engine/http/load-shedding.ts'
import { buildApp } from './app.ts'
import { loadMessages } from './load-messages.ts'
import { migrations } from './migrations.ts'
import { parts } from './parts.ts'
import { refuseBesideOlder } from './refuse-beside-older.ts'
import { explainListening, tryOut } from './try-out.ts'

export type Serving = {
  config: Config
  app: Api
  /** The listening address: `http://127.0.0.1:8080`. */
  address: string
  /** Ends what runs within 10 s, then the database. Rejects when that takes longer than 25 s: the process may be ended then. */
  close(): Promise<void>
}

const endWithinMs = 10_000
const idlePollMs = 100
/** A supervisor kills after 30 s as a rule. */
const closeWithinMs = 25_000

/** Folder of the built console: beside the bundle, or beside the sources; undefined before the first build. */
function consoleFolder(): string | undefined {
  const folders = ['../console', '../../dist/console'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  return folders.find((folder) => existsSync(`${folder}/index.html`))
}

class Phases {
  #last = performance.now()
  #lines: string[] = []

  add(name: string, ms = performance.now() - this.#last) {
    this.#lines.push(`${name} ${Math.round(ms)} ms`)
    this.#last = performance.now()
  }
  toString() {
    return this.#lines.join(', ')
  }
}

const giveUp = async (withinMs: number, signal: AbortSignal): Promise<never> => {
  await sleep(withinMs, undefined, { signal })
  throw new StartError(`What runs has not ended within ${withinMs / 1000} s and is cut off`)
}

type Running = { app: Api; database: Database; clock: DatabaseClock | undefined; endCopies: () => Promise<void> }

function closing({ app, database, clock, endCopies }: Running, withinMs: number): () => Promise<void> {
  let closed: Promise<void> | undefined
  const close = async () => {
    const force = setTimeout(() => app.server.closeAllConnections(), endWithinMs)
    // One whose request was under way is kept alive after its answer, and the server would wait for it.
    const idle = setInterval(() => app.server.closeIdleConnections(), idlePollMs)
    try {
      await endCopies()
      await app.close()
    } finally {
      clearTimeout(force)
      clearInterval(idle)
    }
    clock?.stop()
    await database.close()
  }
  return () => {
    const done = new AbortController()
    closed ??= Promise.race([close(), giveUp(withinMs, done.signal)]).finally(() => done.abort())
    return closed
  }
}

/** Backups of the embedded database come from the process that has it open. A data folder that takes no socket is no reason not to start. */
async function offerBackups(database: Database, { dataDir }: Config, { log }: Api): Promise<() => Promise<void>> {
  if (database.kind === 'server') return async () => {}
  return offerCopies(database, dataDir, log).catch((error: unknown) => {
    log.warn({ err: error }, 'backups are possible only while the server is stopped: its socket cannot be made')
    return async () => {}
  })
}

/** Processes on one PostgreSQL share its clock. The embedded database has that of its only process. */
const sharedClock = (database: Database, warn: (error: unknown) => void): Promise<DatabaseClock> | undefined =>
  database.kind === 'server' ? DatabaseClock.start({ database, onError: warn }) : undefined

/** Starts the whole server and prints its address and timings. `onFatal` is called when it cannot continue. */
export async function serve(
  env: NodeJS.ProcessEnv,
  onFatal: (error: Error) => void,
  withinMs = closeWithinMs,
): Promise<Serving> {
  const phases = new Phases()
  const config = readConfig(env)
  const { databaseUrl, dataDir, databasePoolMax } = config
  let app: Api | undefined
  let clock: DatabaseClock | undefined
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    poolMax: databasePoolMax,
    onError: (error) => app?.log.warn({ err: error }, 'a database connection broke'),
    onFatal,
    onCreate: (folder) => console.log(`Creating the embedded database in ${folder}; the first start takes some seconds longer`),
  }).catch(explained)
  phases.add(`database (${database.kind})`)
  try {
    await tryOut(config)
    await refuseBesideOlder(database, console.log)
    const steps = await migrate(database, migrations, (id) => console.log(`Migrating the database: ${id}`)).catch(explained)
    phases.add(`migrations (${steps.length})`)
    const consoleDir = consoleFolder()
    await loadMessages()
    clock = await sharedClock(database, (error) => app?.log.warn({ err: error }, "the database's clock could not be read"))
    app = await buildApp({
      config,
      database,
      ...(clock ? { clock: clock.now } : {}),
      definitions: definitionsOf(resources),
      parts,
      load: usualLoad(),
      ...(consoleDir ? { consoleDir } : {}),
      onPrepared: (part, ms) => phases.add(part, ms),
    })
    for (const { name, meant } of misspeltSettings(Object.keys(env)))
      app.log.warn(`${name} is not a setting and has no effect; did you mean ${meant}?`)
    phases.add('API')
    const { host, port } = config
    const address = await app.listen({ host, port }).catch((error: unknown) => explainListening(error, config, 'PORT'))
    const endCopies = await offerBackups(database, config, app)
    phases.add('listen')
    const shown = config.port === 0 ? address : config.publicUrl
    console.log(`${productName} at ${shown}${consoleDir ? '' : ' (API only: the console is not built)'}\n  ${phases}`)
    return { config, app, address, close: closing({ app, database, clock, endCopies }, withinMs) }
  } catch (error) {
    await app?.close()
    clock?.stop()
    await database.close()
    throw error
  }
}
