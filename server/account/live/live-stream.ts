import type { ServerResponse } from 'node:http'
import type { Caller } from '#server/base/caller.ts'
import type { Position } from './event-position.ts'
import type { StoredEvent } from './event-store.ts'
import { mergedFrame } from './live-frame.ts'

type FramedEvent = StoredEvent & { bytes: Buffer }
/** `mostPerS`: events sent one by one in a second; further ones are merged into one message at its end. */
type Reader = { caller: Caller; tokenHash: string; mostPerS?: number | undefined }

const secondMs = 1_000

/** One client of the live events. It is `live` while it has received everything that the server has read. */
export class LiveStream {
  readonly caller: Caller
  readonly tokenHash: string
  position: Position | undefined
  live = false
  #response: ServerResponse
  #blockedAt: number | undefined
  #closed = false
  readonly #mostPerS: number
  #second = { beganMs: Number.NEGATIVE_INFINITY, sent: 0 }
  #merged: { resources: Set<string>; last: FramedEvent; timer: NodeJS.Timeout } | undefined

  constructor(response: ServerResponse, { caller, tokenHash, mostPerS = Number.POSITIVE_INFINITY }: Reader) {
    this.#response = response
    this.#mostPerS = mostPerS
    this.caller = caller
    this.tokenHash = tokenHash
    // Clients may leave while they are looked up; nothing tells of it a second time.
    this.#closed = response.destroyed
    response.on('drain', () => {
      this.#blockedAt = undefined
    })
    response.on('close', () => {
      this.#closed = true
      clearTimeout(this.#merged?.timer)
    })
    // A broken connection is no server error; `close` follows.
    response.on('error', () => {})
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Milliseconds since the client stopped reading. */
  get blockedMs(): number {
    return this.#blockedAt === undefined ? 0 : performance.now() - this.#blockedAt
  }

  /** False when the buffer is full: write nothing more until `drained`. */
  write(bytes: Buffer): boolean {
    if (this.#closed) return false
    const taken = this.#response.write(bytes)
    if (!taken) this.#blockedAt ??= performance.now()
    return taken
  }

  /** Sends an event, or merges it with others. False when the buffer is full. */
  tell(event: FramedEvent): boolean {
    const now = performance.now()
    if (now - this.#second.beganMs >= secondMs) this.#second = { beganMs: now, sent: 0 }
    // A notice is for this person alone. Merged changes go first: a reader resumes after the last id that it has seen.
    if (event.note) {
      const isRoom = this.#sendMerged()
      return this.write(event.bytes) && isRoom
    }
    if (!this.#merged && this.#second.sent++ < this.#mostPerS) return this.write(event.bytes)
    this.#merge(event, this.#second.beganMs + secondMs - now)
    return true
  }

  #merge(event: FramedEvent, leftMs: number): void {
    const timer = this.#merged?.timer ?? setTimeout(() => this.#sendMerged(), leftMs).unref()
    this.#merged = { resources: (this.#merged?.resources ?? new Set()).add(event.event.resource), last: event, timer }
  }

  #sendMerged(): boolean {
    const merged = this.#merged
    if (!merged) return true
    clearTimeout(merged.timer)
    this.#merged = undefined
    return this.write(mergedFrame(merged.resources, merged.last.position, merged.last.atMs))
  }

  /** Heartbeat, sent only to a client that keeps reading. */
  ping(bytes: Buffer): void {
    if (this.#blockedAt === undefined) this.write(bytes)
  }

  /** Resolves when the buffer is empty, or the client is gone. */
  drained(): Promise<void> {
    if (this.#closed || this.#blockedAt === undefined) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        this.#response.off('drain', done).off('close', done)
        resolve()
      }
      this.#response.on('drain', done).on('close', done)
    })
  }

  /** Runs a task when the client is gone; at once when it is already. */
  onClose(task: () => void): void {
    if (this.#closed) task()
    else this.#response.once('close', task)
  }

  /** Ends the stream; a client that does not read the end is disconnected. */
  end(): void {
    if (this.#closed) return
    if (this.#blockedAt !== undefined) return void this.#response.destroy()
    this.#response.end()
    const cut = setTimeout(() => this.#response.destroy(), 1_000)
    cut.unref()
    this.#response.once('close', () => clearTimeout(cut))
  }
}
