import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { explained } from '#server/base/start-error.ts'
import { openDatabase } from '#server/db/connect.ts'
import { askForCopy, type Copy, databaseFolder, passing } from './backup-socket.ts'
import { readContents } from './contents.ts'
import { copyEmbedded } from './copy-embedded.ts'
import { BackupError, type Contents, type Manifest, manifestName } from './manifest.ts'
import { connectPlain, runProgram } from './pg-programs.ts'
import { type TarEntry, writeTar } from './tar.ts'

/** Location of the data, and the release that makes the backup. */
export type DataPlace = { dataDir: string; databaseUrl?: string | undefined; version: string }

/**
 * Archive entries: the dump of a PostgreSQL database, the files of the embedded one, and all other files of the data folder.
 */
export const dumpName = 'database.dump'
export const databasePrefix = 'database/'
export const filesPrefix = 'files/'

/** A copy of the database on disk until released, and its contents. */
type DatabaseCopy = { path: string; contents: Contents; release: () => Promise<void> }

async function copyAtRest(dataDir: string, scratch: string): Promise<Copy> {
  const from = databaseFolder(dataDir)
  if (!existsSync(from)) throw new BackupError(`There is no database in ${resolve(dataDir)}: set DATA_DIR, or DATABASE_URL.`)
  const database = await openDatabase({ dataDir }).catch(explained)
  try {
    const contents = await copyEmbedded(database, { from, to: scratch, signal: new AbortController().signal })
    return { folder: scratch, contents, release: async () => {} }
  } finally {
    await database.close()
  }
}

async function embeddedCopy(dataDir: string, scratch: string): Promise<DatabaseCopy> {
  const { folder, contents, release } = (await askForCopy(dataDir)) ?? (await copyAtRest(dataDir, scratch))
  return { path: folder, contents, release }
}

/** Dump and counts share one snapshot, without blocking writers. */
async function dumpServer(databaseUrl: string, scratch: string): Promise<DatabaseCopy> {
  const client = await connectPlain(databaseUrl)
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as "snapshot"')
    const path = join(scratch, dumpName)
    const plain = ['--format=custom', '--compress=0', '--no-owner', '--no-privileges']
    await runProgram('pg_dump', databaseUrl, [...plain, `--snapshot=${rows[0]?.snapshot}`, `--file=${path}`])
    return { path, contents: await readContents(client), release: async () => {} }
  } finally {
    await client.end()
  }
}

type Files = Manifest['files']

/** A file as an archive entry; size and hash are recorded while reading. */
async function* fileEntry(path: string, name: string, noted: Files): AsyncGenerator<TarEntry> {
  const found = await stat(path).catch(() => undefined)
  // Outbox mails may be removed while the server runs.
  if (!found) return
  const hash = createHash('sha256')
  const read = async function* (): AsyncGenerator<Uint8Array> {
    if (found.size === 0) return
    for await (const chunk of createReadStream(path, { end: found.size - 1, highWaterMark: 1 << 20 })) {
      hash.update(chunk)
      yield chunk
    }
  }
  yield { name, bytes: found.size, content: read() }
  noted[name] = { bytes: found.size, sha256: hash.digest('hex') }
}

async function* folderEntries(
  folder: string,
  prefix: string,
  noted: Files,
  left: readonly string[] = [],
): AsyncGenerator<TarEntry> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (left.includes(entry.name)) continue
    const [path, name] = [join(folder, entry.name), `${prefix}${entry.name}`]
    if (entry.isDirectory()) {
      yield { name: `${name}/`, bytes: 0, content: [] }
      yield* folderEntries(path, `${name}/`, noted)
    } else if (entry.isFile()) yield* fileEntry(path, name, noted)
  }
}

async function* entriesOf(place: DataPlace, copy: DatabaseCopy): AsyncGenerator<TarEntry> {
  const files: Files = {}
  const { dataDir, databaseUrl, version } = place
  if (databaseUrl) yield* fileEntry(copy.path, dumpName, files)
  else yield* folderEntries(copy.path, databasePrefix, files)
  const hasFiles = existsSync(dataDir)
  if (hasFiles) yield* folderEntries(dataDir, filesPrefix, files, databaseUrl ? passing : [...passing, 'database'])
  const manifest: Manifest = {
    product: 'ess-console',
    format: 1,
    madeAt: new Date().toISOString(),
    version,
    engine: databaseUrl ? 'server' : 'embedded',
    ...copy.contents,
    files,
  }
  const text = Buffer.from(JSON.stringify(manifest, null, 2))
  yield { name: manifestName, bytes: text.length, content: [text] }
}

/** Flushes a file to disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

/**
 * Writes an archive of database, files and manifest while the server runs. The file gets its name only when it is complete and
 * flushed.
 */
export async function backUp(place: DataPlace, file: string): Promise<{ bytes: number; contents: Contents }> {
  if (existsSync(file)) throw new BackupError(`${file} is there already: a backup overwrites nothing.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new BackupError(`The folder ${folder} does not exist.`)
  const scratch = await mkdtemp(join(folder, '.ess-backup-'))
  const partial = join(scratch, 'partial.tar.gz')
  let copy: DatabaseCopy | undefined
  try {
    copy = place.databaseUrl ? await dumpServer(place.databaseUrl, scratch) : await embeddedCopy(place.dataDir, scratch)
    const level = constants.Z_BEST_SPEED
    await pipeline(
      Readable.from(writeTar(entriesOf(place, copy)), { objectMode: false }),
      createGzip({ level }),
      createWriteStream(partial, { mode: 0o600 }),
    )
    await syncFile(partial)
    await rename(partial, file)
    return { bytes: (await stat(file)).size, contents: copy.contents }
  } finally {
    await copy?.release()
    await rm(scratch, { recursive: true, force: true })
  }
}
