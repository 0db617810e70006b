import { constants, existsSync, readdirSync } from 'node:fs'
import { access, chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Remedy for a file or folder of another account. */
export const closedText = (path: string): string =>
  `${path} can not be read and written by this account: give the folder back to it, by chown -R.`

function filesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : []
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EACCES' ? new Error(closedText(folder), { cause: error }) : error
  }
}

/** True for a folder without a database. A folder with other files or half a database is never touched. */
export function isEmpty(folder: string): boolean {
  const files = filesIn(folder)
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
 * Root may open every folder, but the files that it leaves there are closed to the account of the server. `made`: a file that this
 * process has made beside it, which tells whose files are root's here: some file systems have one owner for all.
 */
export async function refuseRoot(folder: string, made: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const [{ uid }, { uid: ownUid }] = await Promise.all([stat(folder), stat(made)])
  if (uid !== ownUid)
    throw new Error(`The folder ${folder} belongs to the account ${uid}: run this by that account. Nothing was changed.`)
}

/** A file that this account may not read and write; undefined where there is none. */
export async function closedFile(folder: string): Promise<string | undefined> {
  const below = await readdir(folder, { withFileTypes: true, recursive: true }).catch(({ path }: NodeJS.ErrnoException) => path)
  if (!Array.isArray(below)) return below
  for (const { name, parentPath } of below) {
    const path = join(parentPath, name)
    const isOpen = await access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    )
    if (!isOpen) return path
  }
  return undefined
}
