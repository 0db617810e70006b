import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { explained } from '#server/base/start-error.ts'
import { openDatabase } from '#server/db/connect.ts'
import { refuseRoot } from '#server/db/database-folder.ts'
import { takeLock } from '#server/db/lock-file.ts'
import { type DataPlace, databasePrefix, dumpName, filesPrefix, syncFile } from './backup.ts'
import { databaseFolder } from './backup-socket.ts'
import { isEmptyDatabase, readContents } from './contents.ts'
import { BackupError, type Contents, differencesOf, type Manifest, manifestName, manifestSchema } from './manifest.ts'
import { connectPlain, runProgram } from './pg-programs.ts'
import { DamagedArchive, readTar } from './tar.ts'

const scratchName = 'restoring'
/** Present on every new file system. */
const ofFileSystem = ['lost+found']

export type RestoreTarget = DataPlace & {
  /** Migrations known to this release: it cannot read data of a newer one. */
  migrations: readonly string[]
}

async function checkEmpty({ dataDir, databaseUrl }: DataPlace) {
  const found = existsSync(dataDir) ? await readdir(dataDir) : []
  if (found.some((name) => !ofFileSystem.includes(name)))
    throw new BackupError(
      `The data folder ${resolve(dataDir)} is not empty, and a restore overwrites nothing: set DATA_DIR to an empty folder.`,
    )
  if (!databaseUrl) return
  const client = await connectPlain(databaseUrl)
  const isEmpty = await isEmptyDatabase(client).finally(() => client.end())
  if (isEmpty) return
  const { host, pathname } = new URL(databaseUrl)
  throw new BackupError(
    `The database ${host}${pathname} has tables, and a restore overwrites nothing: create an empty one, and set DATABASE_URL to it.`,
  )
}

/** Prevents path traversal: archive names are not trusted. */
function pathIn(folder: string, name: string): string {
  const path = resolve(folder, name)
  if (!path.startsWith(folder + sep)) throw new DamagedArchive(`it names a file outside of its folder: ${name}`)
  return path
}

async function unpack(file: string, folder: string): Promise<Manifest['files']> {
  const found: Manifest['files'] = {}
  const readings: Promise<void>[] = []
  const read = (bytes: AsyncIterable<Uint8Array>) =>
    readTar(bytes, async ({ name, bytes: size }, content) => {
      const path = pathIn(folder, name)
      if (name.endsWith('/')) return void (await mkdir(path, { recursive: true, mode: 0o700 }))
      const hash = createHash('sha256')
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const hashed = async function* () {
        for await (const piece of content) {
          hash.update(piece)
          yield piece
        }
      }
      await pipeline(Readable.from(hashed(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }))
      found[name] = { bytes: size, sha256: hash.digest('hex') }
    })
  try {
    await pipeline(createReadStream(file), createGunzip(), (bytes) => {
      const reading = read(bytes)
      readings.push(reading)
      return reading
    })
  } finally {
    // A damaged stream ends the pipeline during a file write: wait for it before the folder is removed.
    await Promise.allSettled(readings)
  }
  return found
}

/** In parallel: the file system then batches the writes. */
async function syncFiles(folder: string, names: readonly string[]) {
  const left = [...names]
  const work = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await syncFile(join(folder, name))
  }
  await Promise.all(Array.from({ length: 16 }, work))
}

const damaged = (file: string, reason: string) =>
  new BackupError(`${file} is damaged (${reason}). Nothing was restored: take another backup.`)

/** Unpacks and compares every file with the manifest, before anything is put in place. */
async function unpackVerified(file: string, folder: string): Promise<Manifest> {
  const found = await unpack(file, folder).catch((error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOENT' && !existsSync(file)) throw new BackupError(`There is no file ${file}.`)
    if (error instanceof DamagedArchive || error.code?.startsWith('Z_')) throw damaged(file, error.message)
    throw error
  })
  if (!found[manifestName]) throw damaged(file, 'it has no manifest')
  const parsed = manifestSchema.safeParse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')))
  if (!parsed.success) throw damaged(file, 'its manifest cannot be read')
  const { [manifestName]: _, ...content } = found
  const names = new Set([...Object.keys(content), ...Object.keys(parsed.data.files)])
  const differing = [...names].find((name) => content[name]?.sha256 !== parsed.data.files[name]?.sha256)
  if (differing) throw damaged(file, `${differing} is not as it was written`)
  await syncFiles(folder, [...names])
  return parsed.data
}

function checkSuits({ engine, migrations, version }: Manifest, target: RestoreTarget) {
  const wanted = target.databaseUrl ? 'server' : 'embedded'
  if (engine !== wanted)
    throw new BackupError(
      engine === 'server'
        ? 'This backup is of a PostgreSQL: set DATABASE_URL to an empty database.'
        : 'This backup is of the embedded database: restore it without DATABASE_URL.',
    )
  const newest = migrations.filter((id) => !target.migrations.includes(id)).at(-1)
  if (newest)
    throw new BackupError(
      `This backup was made by a newer release (${version}, with the step ${newest}; this one ends with ${target.migrations.at(-1)}): restore it with that one.`,
    )
}

function verify(manifest: Manifest, found: Contents) {
  const differences = differencesOf(manifest, found)
  if (differences.length > 0)
    throw new BackupError(`The restored database is not as its backup says: ${differences.join('; ')}.`)
}

async function verifyEmbedded(manifest: Manifest, dataDir: string) {
  const database = await openDatabase({ dataDir }).catch((error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(
      `The database of this backup (PostgreSQL ${manifest.postgres}, release ${manifest.version}) does not open here: ${reason}`,
    )
  })
  try {
    const client = await database.pool.connect()
    verify(manifest, await readContents(client).finally(() => client.release()))
  } finally {
    await database.close()
  }
}

async function restoreServer(manifest: Manifest, databaseUrl: string, dump: string) {
  const whole = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-comments']
  await runProgram('pg_restore', databaseUrl, [...whole, dump])
  const client = await connectPlain(databaseUrl)
  try {
    await client.query('analyze')
    verify(manifest, await readContents(client))
  } finally {
    await client.end()
  }
}

async function moveInto(dataDir: string, folder: string) {
  const names = existsSync(folder) ? await readdir(folder) : []
  for (const name of names) await rename(join(folder, name), join(dataDir, name))
}

/** Restores a backup into an empty location, after every file has been verified against the manifest. */
export async function restore(target: RestoreTarget, file: string): Promise<Manifest> {
  const { dataDir, databaseUrl } = target
  await checkEmpty(target)
  const lock = await takeLock(dataDir)
  const scratch = join(resolve(dataDir), scratchName)
  try {
    await refuseRoot(resolve(dataDir), lock.path).catch(explained)
    await mkdir(scratch, { mode: 0o700 })
    const manifest = await unpackVerified(file, scratch)
    checkSuits(manifest, target)
    if (databaseUrl) await restoreServer(manifest, databaseUrl, join(scratch, dumpName))
    else await verifyEmbedded(manifest, scratch)
    await moveInto(dataDir, join(scratch, filesPrefix))
    if (!databaseUrl) await rename(join(scratch, databasePrefix), databaseFolder(dataDir))
    return manifest
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await lock.release()
  }
}
