import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { installDebianPackage } from './install-debian-package.ts'
import { runFolder } from './run-folder.ts'

const debianFolder = '/usr/lib/postgresql'
/** Set for the test workers by `setup`. */
const variable = 'TEST_POSTGRES_URL'

/** A private PostgreSQL server's address, or nothing where none can be had (in CI that is an error long before). */
export const postgresUrl = (): string | undefined => process.env[variable]

export type TestDatabase = { url: string; drop: () => Promise<void> }
type FilledDatabase = { name: string; fill: (url: string) => Promise<void> }

function addressOf(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** A server that was given outlives the run: the templates on it carry the run in their name. */
const templateName = (name: string) => `${templatesOfRun()}_${name}`
const templatesOfRun = () => `template_${createHash('sha256').update(runFolder()).digest('hex').slice(0, 12)}`

/** One worker makes it, under a lock of the server; the others wait, then find it. */
const madeTemplate = (server: string, { name, fill }: FilledDatabase): Promise<string> =>
  withClient(server, async (client) => {
    const template = templateName(name)
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])
    if (rowCount) return template
    const making = `${template}_making`
    await client.query(`DROP DATABASE IF EXISTS ${making}`)
    await client.query(`CREATE DATABASE ${making}`)
    await fill(addressOf(server, making))
    await client.query(`ALTER DATABASE ${making} RENAME TO ${template}`)
    return template
  })

/** A fresh database on the private server, empty or as its template was filled. Drop it when the test is over. */
export async function createTestDatabase(template?: FilledDatabase): Promise<TestDatabase> {
  const server = postgresUrl()
  if (!server)
    throw new Error('No PostgreSQL for this test: only projects with tests/support/postgres.ts as their set-up have one')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const copied = template ? ` TEMPLATE ${await madeTemplate(server, template)}` : ''
  await administer(server, `CREATE DATABASE ${name}${copied}`)
  return { url: addressOf(server, name), drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function withClient<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const administer = (server: string, statement: string): Promise<void> =>
  withClient(server, async (client) => {
    await client.query(statement)
  })

/** The newest version that the system has. */
export function binaryFolder(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const newest = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debianFolder, version, 'bin'))
  const onPath = (process.env.PATH ?? '').split(':')
  return [...newest, ...onPath].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** PostgreSQL refuses to run as root: the package's own user, or nobody. */
export function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string, user: string) => Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }))
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', user), gid: idOf('-g', user) }
    } catch {}
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port'))))
    })
  })
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}`)
    const ready = await administer(url, 'SELECT 1').then(
      () => true,
      () => false,
    )
    if (ready) return
    await sleep(100)
  }
  throw new Error('PostgreSQL did not answer within 30 s')
}

/** The server and its folder go when the input is closed, however the tests have ended. */
const guardian = 'trap "" INT TERM; "$@" </dev/null & read -r _; kill -QUIT $!; wait; rm -rf "$0"'

/** A cluster of its own, which has counted no transactions but those of its making. */
export async function startPrivateServer(binaries: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const as = owner()
  const folder = mkdtempSync(join(tmpdir(), 'ess-postgres-'))
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid)
  chmodSync(folder, 0o700)
  const options = { ...as, cwd: tmpdir(), env: { ...process.env, LC_ALL: 'C.UTF-8' } }
  const initdb = ['-D', folder, '-U', 'tester', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(binaries, 'initdb'), initdb, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })

  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    log_min_messages: 'panic',
    log_min_error_statement: 'panic',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = ['-c', guardian, folder, join(binaries, 'postgres'), '-D', folder, ...flags]
  const server = spawn('sh', command, { ...options, stdio: ['pipe', 'ignore', 'inherit'] })
  const stop = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.stdin.end()
    if (server.exitCode === null) await ended
  }
  const url = `postgres://tester@127.0.0.1:${port}/postgres`
  try {
    await untilReady(server, url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

const dropTemplates = (server: string): Promise<void> =>
  withClient(server, async (client) => {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      templatesOfRun(),
    ])
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
  })

/** Vitest calls this once before the contract tests and its answer once after them. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL
  if (given) {
    process.env[variable] = given
    return () => dropTemplates(given)
  }
  const binaries = binaryFolder() ?? (installDebianPackage('postgresql') ? binaryFolder() : undefined)
  if (binaries) {
    const { url, stop } = await startPrivateServer(binaries)
    process.env[variable] = url
    return stop
  }
  const message =
    'No PostgreSQL: set TEST_DATABASE_URL or install the package postgresql. Its half of the contract tests cannot run.'
  if (process.env.CI) throw new Error(message)
  console.warn(message)
  return undefined
}
