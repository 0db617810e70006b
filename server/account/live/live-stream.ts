import type { ServerResponse } from 'node:http'
import type { Caller } from '#server/base/caller.ts'
import type { Position } from './event-position.ts'

/** One reader of the live events. It is `live` while it has got everything that the server has read so far. */
export class LiveStream {
  readonly caller: Caller
  readonly tokenHash: string
  position: Position | undefined
  live = false
  #response: ServerResponse
  #blockedAt: number | undefined
  #closed = false

  constructor(response: ServerResponse, { caller, tokenHash }: { caller: Caller; tokenHash: string }) {
    this.#response = response
    this.caller = caller
    this.tokenHash = tokenHash
    response.on('drain', () => {
      this.#blockedAt = undefined
    })
    response.on('close', () => {
      this.#closed = true
    })
    // A reader that is cut off is no fault of ours; `close` follows.
    response.on('error', () => {})
  }

  get closed(): boolean {
    return this.#closed
  }

  /** For how long, in milliseconds, the reader has not taken what was written. */
  get blockedMs(): number {
    return this.#blockedAt === undefined ? 0 : performance.now() - this.#blockedAt
  }

  /** False when the reader is slow: nothing more should be written until `drained`. */
  write(bytes: Buffer): boolean {
    if (this.#closed) return false
    const taken = this.#response.write(bytes)
    if (!taken) this.#blockedAt ??= performance.now()
    return taken
  }

  /** Heartbeat for a client that keeps reading. */
  ping(bytes: Buffer): void {
    if (this.#blockedAt === undefined) this.write(bytes)
  }

  /** Resolves when the reader has taken everything, or is gone. */
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

  onClose(task: () => void): void {
    this.#response.once('close', task)
  }

  /** Ends it; a reader who does not take the end is cut off. */
  end(): void {
    if (this.#closed) return
    if (this.#blockedAt !== undefined) return void this.#response.destroy()
    this.#response.end()
    const cut = setTimeout(() => this.#response.destroy(), 1_000)
    cut.unref()
    this.#response.once('close', () => clearTimeout(cut))
  }
}
