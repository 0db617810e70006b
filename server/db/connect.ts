import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { minuteMs } from '#schema/format/durations.ts'
import { ConnectionWatchdog } from './connection-watchdog.ts'
import { closeToOthers, isEmpty, refuseRoot } from './database-folder.ts'
import { keepAliveOptions, type Listen, listenEmbedded, listenServer } from './listen.ts'
import { takeLock } from './lock-file.ts'
import { namingPool } from './named-queries.ts'
import { openPgliteWire } from './pglite-wire.ts'
import type { SystemTables } from './system-tables.ts'
import { typeParsers } from './type-parsers.ts'

/** Tables typed for Kysely; definition tables are added by `kysely.withTables<…>()`. */
export type DatabaseTables = SystemTables

/** PostgreSQL, or the embedded engine behind the same pool. */
export type Database = {
  kind: 'embedded' | 'server'
  pool: pg.Pool
  kysely: Kysely<DatabaseTables>
  /** Subscribes to `select pg_notify(channel, payload)`, which fires on commit. Returns the unsubscribe function. */
  listen: Listen
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** URL of a PostgreSQL server; without it the embedded engine stores its files in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  poolMax?: number
  /** Pipeline mode, which COPY does not have; default: on. */
  hasPipeline?: boolean
  /** Statement timeout; `set local statement_timeout` lifts it on a server. */
  statementTimeoutMs?: number
  idleTransactionMs?: number
  /** Start timeout of the embedded engine. */
  startWithinMs?: number
  /** The embedded engine makes a new database, which takes seconds. */
  onCreate?: (folder: string) => void
  /** An idle connection broke. */
  onError?: (error: Error) => void
  /** The embedded engine has stopped for good. */
  onFatal?: (error: Error) => void
}

const lockTimeoutMs = 5_000
/** Wait for a free connection. */
const connectTimeoutMs = 10_000
/** A host that has been silent may never answer what it was asked meanwhile: a new connection is tried soon. */
const helloTimeoutMs = 3_000
/** Grace above the statement timeout for the response to arrive. */
const answerGraceMs = 5_000

type Limits = Required<
  Pick<
    DatabaseOptions,
    | 'poolMax'
    | 'hasPipeline'
    | 'statementTimeoutMs'
    | 'idleTransactionMs'
    | 'startWithinMs'
    | 'onCreate'
    | 'onError'
    | 'onFatal'
  >
>

const limitsOf = (options: DatabaseOptions): Limits => ({
  poolMax: options.poolMax ?? 10,
  hasPipeline: options.hasPipeline ?? true,
  statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
  idleTransactionMs: options.idleTransactionMs ?? 15_000,
  startWithinMs: options.startWithinMs ?? 5 * minuteMs,
  onCreate: options.onCreate ?? (() => {}),
  onError: options.onError ?? (() => {}),
  onFatal: options.onFatal ?? ((error) => console.error(error.message)),
})

function openPool(config: pg.PoolConfig, { poolMax, hasPipeline, onError }: Limits): pg.Pool {
  // Pipeline mode: statements are sent before earlier ones are answered, where a caller does not wait for them.
  const shared = { types: typeParsers, max: poolMax, connectionTimeoutMillis: connectTimeoutMs, pipeline: hasPipeline }
  const pool = new pg.Pool({ ...shared, ...config })
  pool.on('error', onError)
  // A broken client also fails its query; without a listener its error event would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Clients of the pool, which itself waits longer: for a connection that others give back. The first connection may have to wake the
 * database up.
 */
const greeting = (isReached: () => boolean) =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: isReached() ? helloTimeoutMs : connectTimeoutMs })
    }
  }

const kyselyOf = (pool: pg.Pool) => new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool: namingPool(pool) }) })

async function openEmbedded(dataDir: string, limits: Limits): Promise<Database> {
  const lock = await takeLock(dataDir)
  try {
    const folder = join(resolve(dataDir), 'database')
    const isNew = isEmpty(folder)
    if (!isNew) await refuseRoot(folder, lock.path)
    if (isNew) limits.onCreate(folder)
    await closeToOthers(folder)
    const wire = await openPgliteWire({ dataDir: folder, ...limits }).catch(async (error: unknown) => {
      // Remains of a failed first start would be taken for a damaged database.
      if (isNew) await rm(folder, { recursive: true, force: true })
      throw error
    })
    const pool = openPool({ stream: wire.stream }, limits)
    const close = async () => {
      await pool.end()
      await wire.close()
      await lock.release()
    }
    return { kind: 'embedded', pool, kysely: kyselyOf(pool), listen: listenEmbedded(wire.notifications, pool), close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function greet(pool: pg.Pool, watch: ConnectionWatchdog): Promise<void> {
  const client = await pool.connect()
  try {
    await watch.detectPooler(client)
  } finally {
    client.release()
  }
}

async function openServer(databaseUrl: string, limits: Limits): Promise<Database> {
  const settings = {
    TimeZone: 'UTC',
    // JIT-compiling a statement with a hundred sums takes seconds, running it milliseconds.
    jit: 'off',
    // The default assumes spinning disks: small tables would be scanned for each row of a page despite an index.
    random_page_cost: 1.1,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
  }
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  let isReached = false
  const pool = openPool(
    { connectionString: databaseUrl, options, Client: greeting(() => isReached), ...keepAliveOptions },
    limits,
  )
  const watch = new ConnectionWatchdog(databaseUrl, limits.statementTimeoutMs + answerGraceMs)
  pool.on('connect', (client) => watch.add(client))
  await greet(pool, watch).catch(async (error: unknown) => {
    watch.stop()
    await pool.end()
    const { host, pathname } = new URL(databaseUrl)
    throw new Error(`The database ${host}${pathname} can not be reached: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  })
  isReached = true
  return {
    kind: 'server',
    pool,
    kysely: kyselyOf(pool),
    listen: listenServer(databaseUrl, limits.onError),
    async close() {
      watch.stop()
      await pool.end()
    },
  }
}

/** Opens the database: the server at `databaseUrl`, or the embedded engine in `dataDir`, which only one process may use. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  const limits = limitsOf(options)
  return options.databaseUrl ? openServer(options.databaseUrl, limits) : openEmbedded(options.dataDir, limits)
}
