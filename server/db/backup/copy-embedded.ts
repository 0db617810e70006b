import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import type { Database } from '#server/db/connect.ts'
import { inClientTransaction } from '#server/db/transaction.ts'
import { readContents } from './contents.ts'
import { BackupError, type Contents } from './manifest.ts'

const beatMs = 3_000
const atOnce = 16
const megabyte = 1_000_000

/**
 * Log segments needed for recovery: from the last checkpoint to the current end. Older and recycled segments are not needed.
 */
async function neededLog(client: ClientBase): Promise<(segment: string) => boolean> {
  const { rows } = await client.query<{ first: string; last: string }>(
    `select redo_wal_file as "first", pg_walfile_name(pg_current_wal_insert_lsn()) as "last" from pg_control_checkpoint()`,
  )
  const [{ first, last } = { first: '', last: '' }] = rows
  return (segment) => segment >= first && segment <= last
}

async function filesOf(folder: string, isNeeded: (segment: string) => boolean) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(folder.length + 1) }))
  const isLog = (path: string) => /^pg_wal\/[0-9A-F]{24}$/.test(path)
  return {
    folders: paths.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path),
    files: paths.filter(({ entry, path }) => entry.isFile() && (!isLog(path) || isNeeded(entry.name))).map(({ path }) => path),
  }
}

/** Above the size of the files: what their folders take, and what others write meanwhile. */
const reserve = 1.1

/** The fault of a disk with too little room for a copy of that size; undefined where there is enough. */
export function roomFault(copyBytes: number, freeBytes: number): string | undefined {
  const wanted = copyBytes * reserve
  if (freeBytes > wanted) return undefined
  return `The copy needs ${Math.ceil(wanted / megabyte)} MB beside the database, and ${Math.floor(freeBytes / megabyte)} MB are free.`
}

async function checkRoom(from: string, files: readonly string[]) {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(from, file))).size))
  const { bavail, bsize } = await statfs(from)
  const fault = roomFault(
    sizes.reduce((sum, size) => sum + size, 0),
    bavail * bsize,
  )
  if (fault) throw new BackupError(fault)
}

async function copyFiles(from: string, to: string, files: readonly string[], signal: AbortSignal) {
  const left = [...files]
  const work = async () => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      signal.throwIfAborted()
      await copyFile(join(from, file), join(to, file), constants.COPYFILE_FICLONE)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/**
 * Copies the embedded database while it is open. The engine has one session: an open transaction blocks all other statements,
 * and after a checkpoint the files do not change until it ends.
 */
export async function copyEmbedded(
  database: Pick<Database, 'pool'>,
  { from, to, signal }: { from: string; to: string; signal: AbortSignal },
): Promise<Contents> {
  return inClientTransaction(database, async (client) => {
    const contents = await readContents(client)
    await client.query('checkpoint')
    const lost = new AbortController()
    // Keep-alive: an idle transaction would be rolled back, and writes would resume during the copy.
    const beat = setInterval(() => client.query('select 1').catch((error: unknown) => lost.abort(error)), beatMs)
    try {
      const { folders, files } = await filesOf(from, await neededLog(client))
      await checkRoom(from, files)
      for (const folder of folders) await mkdir(join(to, folder), { recursive: true })
      await copyFiles(from, to, files, AbortSignal.any([signal, lost.signal]))
    } finally {
      clearInterval(beat)
    }
    return contents
  })
}
