import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { keyFileName } from '#server/base/config.ts'
import type { Database } from '#server/db/connect.ts'
import { copyEmbedded } from './copy-embedded.ts'
import { BackupError, type Contents, contentsSchema } from './manifest.ts'

const copiesFolder = 'backup-copies'
const socketName = 'backup.sock'
/** Entries of the data folder that are not data. */
export const passing = [copiesFolder, socketName, 'server.lock', keyFileName]

export const databaseFolder = (dataDir: string) => join(resolve(dataDir), 'database')

/** Unix socket paths are limited to about a hundred characters. */
function socketPath(dataDir: string): string {
  const absolute = join(resolve(dataDir), socketName)
  const short = relative(process.cwd(), absolute)
  return short.length < absolute.length ? short : absolute
}

const answerSchema = z.union([z.object({ copy: z.string(), contents: contentsSchema }), z.object({ error: z.string() })])

type Log = { info: (facts: object, text: string) => void; warn: (facts: object, text: string) => void }

/**
 * Serves copies of the running database over a socket in the data folder, to processes that may write there. A copy exists
 * until the client disconnects. Returns the stop function.
 */
export async function offerCopies(database: Pick<Database, 'pool'>, dataDir: string, log: Log): Promise<() => Promise<void>> {
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  const copies = join(resolve(dataDir), copiesFolder)
  const path = socketPath(dataDir)

  const serve = async (socket: Socket) => {
    const gone = new AbortController()
    const closed = new Promise<void>((done) =>
      socket.once('close', () => {
        gone.abort()
        done()
      }),
    )
    const name = randomUUID()
    const folder = join(copies, name)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const signal = AbortSignal.any([gone.signal, ending.signal])
      const started = performance.now()
      const contents = await copyEmbedded(database, { from: databaseFolder(dataDir), to: folder, signal })
      log.info({ ms: Math.round(performance.now() - started) }, 'copied the database for a backup')
      socket.write(`${JSON.stringify({ copy: join(copiesFolder, name), contents })}\n`)
    } catch (error) {
      log.warn({ err: error }, 'the database could not be copied for a backup')
      socket.end(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`)
    }
    await closed
    await rm(folder, { recursive: true, force: true })
  }

  await rm(copies, { recursive: true, force: true })
  await rm(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
    const work = serve(socket).finally(() => running.delete(work))
    running.add(work)
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(path, done))
  await chmod(path, 0o600)
  return async () => {
    ending.abort()
    server.close()
    for (const socket of sockets) socket.destroy()
    await Promise.all(running)
    await rm(copies, { recursive: true, force: true })
  }
}

export type Copy = { folder: string; contents: Contents; release: () => Promise<void> }

const silent = ['ENOENT', 'ECONNREFUSED']

/** Requests a copy from the server that holds the data folder; undefined when none listens. */
export async function askForCopy(dataDir: string): Promise<Copy | undefined> {
  const socket = connect(socketPath(dataDir))
  const isThere = await new Promise<boolean>((done, failed) => {
    socket.once('connect', () => done(true))
    socket.once('error', (error: NodeJS.ErrnoException) => (silent.includes(error.code ?? '') ? done(false) : failed(error)))
  })
  if (!isThere) return undefined
  const text = await new Promise<string>((done) => {
    let heard = ''
    socket.on('data', (chunk) => {
      heard += String(chunk)
      if (heard.endsWith('\n')) done(heard)
    })
    socket.once('close', () => done(''))
  })
  if (!text) throw new BackupError('The server ended before it had copied its database.')
  const answer = answerSchema.parse(JSON.parse(text))
  if ('error' in answer) throw new BackupError(`The server could not copy its database: ${answer.error}`)
  const release = async () => void socket.destroy()
  return { folder: join(resolve(dataDir), answer.copy), contents: answer.contents, release }
}
