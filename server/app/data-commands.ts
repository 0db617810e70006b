import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '#server/base/config.ts'
import { backUp, type DataPlace } from '#server/db/backup/backup.ts'
import { BackupError, type Contents } from '#server/db/backup/manifest.ts'
import { restore } from '#server/db/backup/restore.ts'
import { FolderInUse } from '#server/db/lock-file.ts'
import { migrations } from './migrations.ts'

/** Bundle and sources lie at the same depth below the manifest of the release. */
export function productVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  return manifest.version
}

const inWords = ({ tables }: Contents) => {
  const counts = Object.values(tables)
  return `${counts.length} tables, ${counts.reduce((sum, rows) => sum + rows, 0)} rows`
}

type Command = (place: DataPlace, file: string) => Promise<string>

const commands: Readonly<Record<string, Command>> = {
  async backup(place, file) {
    const { bytes, contents } = await backUp(place, file)
    return `Backup of ${inWords(contents)} in ${file} (${(bytes / 1e6).toFixed(1)} MB)`
  },
  async restore(place, file) {
    const manifest = await restore({ ...place, migrations: migrations.map(({ id }) => id) }, file)
    return `Restored and verified the backup of ${manifest.madeAt} (release ${manifest.version}): ${inWords(manifest)}`
  },
}

/** Runs `backup FILE` or `restore FILE`. Answers the line to print; throws a BackupError that says what to do. */
export async function runDataCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [name = '', file, ...more] = args
  const command = commands[name]
  if (!command || !file || more.length > 0)
    throw new BackupError('The commands are `backup FILE`, `restore FILE`, `move` and `plan`; without one the server starts.')
  const { dataDir, databaseUrl } = readConfig(env)
  // npm runs scripts in the folder of the package, and people name files from where they are.
  const path = resolve(env.INIT_CWD ?? process.cwd(), file)
  return command({ dataDir, databaseUrl, version: productVersion() }, path).catch((error: unknown): never => {
    throw error instanceof FolderInUse ? new BackupError(error.message) : error
  })
}
