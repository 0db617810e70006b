import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { BackupError } from './manifest.ts'

/** A connection without the server's statement timeout: counting years of rows takes long. */
export async function connectPlain(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'ess-console backup' })
  try {
    await client.connect()
    return client
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl)
    throw new BackupError(
      `The database ${host}${pathname} can not be reached: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** URL without the password for the command line, which other users can read, and the password for the environment. */
function withoutPassword(databaseUrl: string): { address: string; env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { address: url.href, env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) } }
}

/** Runs a PostgreSQL client program. */
export async function runProgram(name: 'pg_dump' | 'pg_restore', databaseUrl: string, args: readonly string[]): Promise<void> {
  const { address, env } = withoutPassword(databaseUrl)
  const child = spawn(name, [...args, '--dbname', address], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT'
      ? new BackupError(
          `${name} is not installed here: install PostgreSQL's client programs, of the server's version or newer.`,
        )
      : error
  })
  if (code !== 0) throw new BackupError(`${name} has failed:\n${said.trim()}`)
}
