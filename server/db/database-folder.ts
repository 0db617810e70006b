import { constants, existsSync, readdirSync } from 'node:fs'
import { access, chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** True for a folder without a database. A folder with other files or half a database is never touched. */
export function isEmpty(folder: string): boolean {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const missing = ['PG_VERSION', 'global'].filter((name) => !files.includes(name))
  if (files.length === 0 || missing.length === 0) return files.length === 0
  throw new Error(
    `The folder ${folder} is not empty and not a complete database (${missing.join(', ')} missing). Nothing was changed: move it away or bring a backup back.`,
  )
}

/** The engine makes files that every account of the machine may read and write, so their folder lets nobody else in. */
export async function closeToOthers(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700).catch(() => {
    // Some file systems have no modes, and a folder of another owner keeps its own.
  })
}

/**
 * Root may open every folder, but the files that it leaves there are closed to the account of the server. Other accounts are not
 * asked: some file systems tell another owner of files that they may write.
 */
export async function refuseRoot(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid } = await stat(folder)
  if (uid !== 0)
    throw new Error(`The database ${folder} belongs to the account ${uid}: run this by that account. Nothing was changed.`)
}

/** A file that this account may not read and write; undefined where there is none. */
export async function closedFile(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  for (const { name, parentPath } of entries) {
    const path = join(parentPath, name)
    const isOpen = await access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    )
    if (!isOpen) return path
  }
  return undefined
}
