import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type Database, type DatabaseOptions, openDatabase } from '#server/db/connect.ts'
import { createTestDatabase, postgresUrl } from './postgres.ts'
import { runFolder } from './run-folder.ts'
import { migrated, productTables, type Template } from './templates.ts'

type Limits = Omit<DatabaseOptions, 'databaseUrl' | 'dataDir'>
type Opening = Limits & { template?: Template }

export type TestEngine = {
  name: 'PGlite' | 'PostgreSQL'
  /** A fresh database, empty or as its template has it; closing it takes it away. */
  open(options?: Opening): Promise<Database>
}

const cache = join(process.cwd(), 'node_modules/.cache')

const execute = promisify(execFile)

/** A tenth of the time of `cp` of Node, which copies a thousand small files one by one. */
const copyFolder = (from: string, to: string) => execute('cp', ['-R', `${from}/.`, to])

/** Makes a folder that other workers may be making at the same time: the first one to finish wins. */
async function madeOnce(folder: string, make: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  const making = await mkdtemp(`${folder}-making-`)
  await make(making)
  await rename(making, folder).catch(() => rm(making, { recursive: true }))
  return folder
}

async function fill(options: Pick<DatabaseOptions, 'databaseUrl' | 'dataDir'>, template: Template): Promise<void> {
  const database = await openDatabase(options)
  try {
    await template.fill(database)
  } finally {
    await database.close()
  }
}

/** The first start takes seconds, a copy of a folder that has been started once does not. */
async function emptyFolder(): Promise<string> {
  const { version } = JSON.parse(await readFile('node_modules/@electric-sql/pglite/package.json', 'utf8')) as {
    version: string
  }
  await mkdir(cache, { recursive: true })
  return madeOnce(join(cache, `pglite-${version}`), async (dataDir) => (await openDatabase({ dataDir })).close())
}

const templateFolder = (template: Template) =>
  madeOnce(join(runFolder(), template.name), async (dataDir) => {
    await copyFolder(await emptyFolder(), dataDir)
    await fill({ dataDir }, template)
  })

/** A data folder with an embedded database. Remove it when the test is over. */
export async function embeddedFolder(template?: Template): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ess-pglite-'))
  await copyFolder(await (template ? templateFolder(template) : emptyFolder()), folder)
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
  async open({ template, ...limits } = {}) {
    const dataDir = await embeddedFolder(template)
    return closingWith(await openDatabase({ ...limits, dataDir }), () => rm(dataDir, { recursive: true }))
  },
}

/** A PostgreSQL that the set-up has found. */
export const postgres: TestEngine = {
  name: 'PostgreSQL',
  async open({ template, ...limits } = {}) {
    const { url, drop } = await createTestDatabase(
      template && { name: template.name, fill: (databaseUrl) => fill({ databaseUrl, dataDir: tmpdir() }, template) },
    )
    return closingWith(await openDatabase({ ...limits, databaseUrl: url, dataDir: tmpdir() }), drop)
  },
}

/** Every engine that the server runs on: `describe.each(engines)('…on $name', ({ open }) => …)`. */
export const engines: readonly TestEngine[] = postgresUrl() ? [embedded, postgres] : [embedded]

const dayMs = 86_400_000
const sumOf = (text: string) => [...text].reduce((sum, sign) => sum + sign.charCodeAt(0), 0)

/**
 * For files whose subject does not depend on the engine: one engine today, the other one tomorrow, half of the files on each.
 * `CI_ENGINES=both` runs them on both; the name of an engine repeats a run of another day.
 */
export function oneEngine(file: string, wanted = process.env.CI_ENGINES, today = Date.now()): readonly TestEngine[] {
  if (wanted === 'both') return engines
  const named = engines.filter(({ name }) => name === wanted)
  if (wanted && named.length === 0)
    throw new Error(`CI_ENGINES=${wanted}: use both, ${engines.map(({ name }) => name).join(' or ')}`)
  const turn = (sumOf(basename(file)) + Math.floor(today / dayMs)) % engines.length
  return wanted ? named : engines.slice(turn, turn + 1)
}

/** A fresh database with every migration. */
export const openMigrated = (engine: TestEngine, limits?: Limits): Promise<Database> =>
  engine.open({ ...limits, template: migrated })

/** A fresh database with the tables of the product's definitions, as a server leaves it after its first start. */
export const openProductTables = (engine: TestEngine): Promise<Database> => engine.open({ template: productTables })
