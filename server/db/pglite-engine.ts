import { once } from 'node:events'
import { readFile, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { minuteMs } from '#schema/format/durations.ts'
import { formatBytes } from '#schema/format/format.ts'
import { closedFile, closedText } from './database-folder.ts'
import { fatalErrorIn } from './wire-messages.ts'

export type Engine = {
  /** Sends complete protocol messages and returns the whole reply. */
  exchange(batch: Uint8Array): Promise<Buffer>
  close(): Promise<void>
}
export type EngineOptions = {
  dataDir: string
  /** The engine ignores PostgreSQL's statement timeout, so a longer statement forces an engine restart (0.8 s). */
  statementTimeoutMs: number
  /** Start timeout; the first start creates the database and takes by far the longest. */
  startWithinMs: number
  /** The engine was restarted: open transactions are lost, committed rows are kept. */
  onLost: (reason: Error) => void
  /** The engine cannot be restarted. */
  onFatal: (reason: Error) => void
}

type Waiting = { resolve: (reply: Buffer) => void; reject: (reason: Error) => void; timer: NodeJS.Timeout }
type Reply = [id: number, reply?: Uint8Array, error?: string]

const closeWithinMs = 8_000
const restartsInARow = 3

/** Uses the SQLSTATE that PostgreSQL has for the same event. */
export const lost = (message: string, code: string) => Object.assign(new Error(message), { code })

/** The engine gives another reason or none on a full disk and for a file that is closed to it; on a slow machine a start takes long. */
async function failedStart(dataDir: string, how: string): Promise<Error> {
  const closed = await closedFile(dataDir)
  if (closed) return new Error(`The embedded database did not start: ${closedText(closed)}`)
  const { bavail, bsize } = await statfs(dirname(dataDir))
  const free = formatBytes(bavail * bsize, 'en')
  return new Error(`The embedded database did not start${how}; the disk has ${free} free. Start it again.`)
}

const diskFull = '53100'
/** Two segments of the write-ahead log: with less the engine does not start. */
const leastRoomBytes = 32 * 1_048_576
const roomPollMs = 1_000

async function roomOn(dataDir: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { bavail, bsize } = await statfs(dirname(dataDir))
    if (bavail * bsize >= leastRoomBytes) return
    await sleep(roomPollMs, undefined, { signal })
  }
}

let compiling: Promise<WebAssembly.Module> | undefined

/** Compiled once per process: saves a second for each further start of an engine. */
function engineModule(): Promise<WebAssembly.Module> {
  compiling ??= readFile(createRequire(import.meta.url).resolve('@electric-sql/pglite/pglite.wasm')).then((bytes) =>
    WebAssembly.compile(bytes),
  )
  return compiling
}

async function launch({ dataDir, startWithinMs }: Pick<EngineOptions, 'dataDir' | 'startWithinMs'>): Promise<Worker> {
  // The worker needs no TypeScript loader.
  const workerData = { dataDir, engineModule: await engineModule() }
  const worker = new Worker(new URL('./pglite-worker.mjs', import.meta.url), { workerData, execArgv: [] })
  const late = new AbortController()
  const broken = (error: Error) => failedStart(dataDir, ` (${error.message})`)
  const ended = once(worker, 'exit', { signal: late.signal }).then(([code]) => failedStart(dataDir, ` (${code})`), broken)
  const overdue = sleep(startWithinMs, undefined, { signal: late.signal }).then(() =>
    failedStart(dataDir, ` within ${startWithinMs / 1000} s`),
  )
  const started = once(worker, 'message', { signal: late.signal }).then(() => undefined, broken)
  try {
    const failure = await Promise.race([started, ended, overdue])
    if (!failure) return worker
    await worker.terminate()
    throw failure
  } finally {
    started.catch(() => undefined)
    ended.catch(() => undefined)
    overdue.catch(() => undefined)
    late.abort()
  }
}

/** Starts the embedded engine in a worker and restarts it when it crashes or hangs. */
export async function startEngine({
  dataDir,
  startWithinMs,
  statementTimeoutMs,
  onLost,
  onFatal,
}: EngineOptions): Promise<Engine> {
  const waiting = new Map<number, Waiting>()
  let sequence = 0
  let restarts = 0
  let closing = false
  const end = new AbortController()
  /** The disk is full: the engine starts when there is room, and meanwhile nothing waits for it. */
  let outage: Error | undefined
  let current = watch(await launch({ dataDir, startWithinMs }))
  let ready: Promise<unknown> = Promise.resolve()

  function watch(worker: Worker): Worker {
    worker.on('message', ([id, reply, error]: Reply) => {
      const job = waiting.get(id)
      waiting.delete(id)
      clearTimeout(job?.timer)
      // Most errors of statements are ordinary replies; this error means that the engine itself has ended.
      if (error !== undefined) return restart(lost(`The embedded database stopped: ${error}`, '57P02'), job)
      const answer = Buffer.from(reply ?? [])
      const fatal = fatalErrorIn(answer)
      if (fatal) return restart(lost(`The embedded database stopped: ${fatal.message}`, fatal.code), job)
      job?.resolve(answer)
      // The next one begins only now, and the others after it.
      for (const { timer } of waiting.values()) timer.refresh()
      restarts = 0
    })
    worker.on('error', (error) => restart(lost(`The embedded database stopped: ${error.message}`, '57P02')))
    worker.on('exit', () => restart(lost('The embedded database stopped', '57P02')))
    return worker
  }

  function restart(reason: Error & { code: string }, job?: Waiting) {
    if (closing) return job?.reject(reason)
    const jobs = [...waiting.values(), ...(job ? [job] : [])]
    waiting.clear()
    for (const { timer } of jobs) clearTimeout(timer)
    current.removeAllListeners()
    current.on('error', () => {})
    if (reason.code === diskFull) outage = reason
    ready = relaunch(current).catch((error: unknown) => {
      if (!closing) onFatal(error instanceof Error ? error : reason)
    })
    for (const { reject } of jobs) reject(reason)
    onLost(reason)
  }

  async function relaunch(old: Worker) {
    await old.terminate()
    if (outage) await roomOn(dataDir, end.signal)
    outage = undefined
    restarts += 1
    if (restarts > restartsInARow) throw lost('The embedded database keeps stopping', '57P02')
    // A restart creates no database, so it gets a shorter time limit.
    current = watch(await launch({ dataDir, startWithinMs: Math.min(startWithinMs, minuteMs) }))
  }

  function send(batch: Uint8Array | null): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      sequence += 1
      const overdue = lost(`A statement ran longer than ${statementTimeoutMs} ms`, '57014')
      const timer = setTimeout(() => restart(overdue), statementTimeoutMs)
      waiting.set(sequence, { resolve, reject, timer })
      // A private copy: pooled buffers share memory and cannot be transferred.
      const copy = batch ? new Uint8Array(batch) : null
      current.postMessage([sequence, copy], copy ? [copy.buffer] : [])
    })
  }

  return {
    async exchange(batch) {
      if (outage) throw outage
      await ready
      return send(batch)
    },
    async close() {
      closing = true
      end.abort()
      await ready
      if (outage) return
      const late = new AbortController()
      await Promise.race([
        send(null).catch(() => undefined),
        sleep(closeWithinMs, undefined, { signal: late.signal }).catch(() => undefined),
      ])
      late.abort()
      for (const { timer } of waiting.values()) clearTimeout(timer)
      await current.terminate()
    },
  }
}
