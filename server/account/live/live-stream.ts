import type { ServerResponse } from 'node:http'
import type { Caller } from '#server/base/caller.ts'
import type { Position } from './event-position.ts'

/** One client of the live events. It is `live` while it has received everything that the server has read. */
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

  onClose(task: () => void): void {
    this.#response.once('close', task)
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
