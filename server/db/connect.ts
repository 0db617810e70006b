import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { minuteMs } from '#schema/format/durations.ts'
import { keptAlive, type Listen, listenEmbedded, listenServer } from './listen.ts'
import { takeLock } from './lock-file.ts'
import { namingPool } from './named-queries.ts'
import { openPgliteWire } from './pglite-wire.ts'
import { cutSilent } from './silence.ts'
import type { SystemTables } from './system-tables.ts'
import { typeParsers } from './type-parsers.ts'

/** Tables that Kysely knows by type; tables of definitions are added by `kysely.withTables<…>()`. */
export type DatabaseTables = SystemTables

export type Database = {
  kind: 'embedded' | 'server'
  pool: pg.Pool
  kysely: Kysely<DatabaseTables>
  /** Subscribes to `select pg_notify(channel, payload)`, which fires on commit. Returns the unsubscribe function. */
  listen: Listen
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** A PostgreSQL server; without it the embedded engine keeps its files in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  poolMax?: number
  /** No statement may take longer; `set local statement_timeout` lifts it on a server. */
  statementTimeoutMs?: number
  idleTransactionMs?: number
  /** No start of the embedded engine may take longer. */
  startWithinMs?: number
  /** An idle connection broke. */
  onError?: (error: Error) => void
  /** The embedded engine has stopped for good. */
  onFatal?: (error: Error) => void
}

const lockTimeoutMs = 5_000
const connectTimeoutMs = 10_000
/** Longer than a statement may take, and the answer needs a moment for its way. */
const answerGraceMs = 5_000

type Limits = Required<
  Pick<DatabaseOptions, 'poolMax' | 'statementTimeoutMs' | 'idleTransactionMs' | 'startWithinMs' | 'onError' | 'onFatal'>
>

const limitsOf = (options: DatabaseOptions): Limits => ({
  poolMax: options.poolMax ?? 10,
  statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
  idleTransactionMs: options.idleTransactionMs ?? 15_000,
  startWithinMs: options.startWithinMs ?? 5 * minuteMs,
  onError: options.onError ?? (() => {}),
  onFatal: options.onFatal ?? ((error) => console.error(error.message)),
})

function openPool(config: pg.PoolConfig, { poolMax, onError }: Limits): pg.Pool {
  const pool = new pg.Pool({ types: typeParsers, max: poolMax, connectionTimeoutMillis: connectTimeoutMs, ...config })
  pool.on('error', onError)
  // A client that breaks in use also fails its query; without a listener the process would exit.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

const kyselyOf = (pool: pg.Pool) => new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool: namingPool(pool) }) })

/** True where a database has to be made. A folder with something else in it, or with half a database, is never touched. */
function isEmpty(folder: string): boolean {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const missing = ['PG_VERSION', 'global'].filter((name) => !files.includes(name))
  if (files.length === 0 || missing.length === 0) return files.length === 0
  throw new Error(
    `The folder ${folder} is not empty and not a complete database (${missing.join(', ')} missing). Nothing was changed: move it away or bring a backup back.`,
  )
}

async function openEmbedded(dataDir: string, limits: Limits): Promise<Database> {
  const lock = await takeLock(dataDir)
  try {
    const folder = join(resolve(dataDir), 'database')
    const isNew = isEmpty(folder)
    const wire = await openPgliteWire({ dataDir: folder, ...limits }).catch(async (error: unknown) => {
      // The rest of a failed first start is no database, and would be taken for a damaged one.
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

async function openServer(databaseUrl: string, limits: Limits): Promise<Database> {
  const settings = {
    TimeZone: 'UTC',
    // Compiling a statement of a hundred sums takes seconds, and running it milliseconds.
    jit: 'off',
    // As of disks whose heads travel, small tables would be read whole for each row of a page, though an index leads to it.
    random_page_cost: 1.1,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
  }
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  const pool = openPool({ connectionString: databaseUrl, options, ...keptAlive }, limits)
  pool.on('connect', (client) => cutSilent(client, limits.statementTimeoutMs + answerGraceMs))
  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end()
    const { host, pathname } = new URL(databaseUrl)
    throw new Error(`The database ${host}${pathname} can not be reached: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  })
  return {
    kind: 'server',
    pool,
    kysely: kyselyOf(pool),
    listen: listenServer(databaseUrl, limits.onError),
    close: () => pool.end(),
  }
}

/** Opens the database: the server at `databaseUrl`, or the embedded engine in `dataDir`, which only one process may use. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  const limits = limitsOf(options)
  return options.databaseUrl ? openServer(options.databaseUrl, limits) : openEmbedded(options.dataDir, limits)
}
