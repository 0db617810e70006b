import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '#server/app/migrations.ts'
import { type Database, type DatabaseOptions, openDatabase } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { createTestDatabase, postgresUrl } from './postgres.ts'

type Limits = Omit<DatabaseOptions, 'databaseUrl' | 'dataDir'>

export type TestEngine = {
  name: 'PGlite' | 'PostgreSQL'
  /** A fresh, empty database; closing it takes it away. */
  open(limits?: Limits): Promise<Database>
}

const cache = join(process.cwd(), 'node_modules/.cache')

/** The first start takes seconds, a copy of a folder that has been started once does not. */
async function preparedFolder(): Promise<string> {
  const { version } = JSON.parse(await readFile('node_modules/@electric-sql/pglite/package.json', 'utf8')) as {
    version: string
  }
  const folder = join(cache, `pglite-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const making = await mkdtemp(`${folder}-making-`)
  await (await openDatabase({ dataDir: making })).close()
  // Another worker may have been faster; its folder is as good.
  await rename(making, folder).catch(() => rm(making, { recursive: true }))
  return folder
}

/** A data folder with an empty embedded database. Remove it when the test is over. */
export async function embeddedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ess-pglite-'))
  await cp(await preparedFolder(), folder, { recursive: true })
  return folder
}

const closingWith = (database: Database, remove: () => Promise<void>): Database => ({
  ...database,
  async close() {
    await database.close()
    await remove()
  },
})

/** For what only the embedded engine is asked. */
export const embedded: TestEngine = {
  name: 'PGlite',
  async open(limits = {}) {
    const dataDir = await embeddedFolder()
    return closingWith(await openDatabase({ ...limits, dataDir }), () => rm(dataDir, { recursive: true }))
  },
}

/** A PostgreSQL that the set-up has found. */
export const postgres: TestEngine = {
  name: 'PostgreSQL',
  async open(limits = {}) {
    const { url, drop } = await createTestDatabase()
    return closingWith(await openDatabase({ ...limits, databaseUrl: url, dataDir: tmpdir() }), drop)
  },
}

/** Every engine that the server runs on: `describe.each(engines)('…on $name', ({ open }) => …)`. */
export const engines: readonly TestEngine[] = postgresUrl() ? [embedded, postgres] : [embedded]

/** A fresh database with the written steps run. */
export async function openMigrated(engine: TestEngine, limits?: Limits): Promise<Database> {
  const database = await engine.open(limits)
  await migrate(database, migrations)
  return database
}
