type Drain = {
  /** Does what is due, up to a batch; answers how much that was. */
  round: () => Promise<number>
  /** Told of an error that ended the work for now. */
  failed: (error: unknown) => void
}

/**
 * Single-flight worker of a durable queue: it works in rounds until one finds nothing due, and calls in between make it look once more.
 * Rows of the queue are claimed with `skip locked` for longer than an attempt takes, so several processes share one table.
 */
export class DrainLoop {
  readonly #drain: Drain
  #working: Promise<void> | undefined
  #again = false
  #closed = false

  constructor(drain: Drain) {
    this.#drain = drain
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Resolves once everything that is due has been tried. Never throws. */
  work = (): Promise<void> => {
    this.#again = true
    this.#working ??= this.#workAll()
      .catch((error: unknown) => {
        if (!this.#closed) this.#drain.failed(error)
      })
      .finally(() => {
        this.#working = undefined
      })
    return this.#working
  }

  async #workAll(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false
      if ((await this.#drain.round()) > 0) this.#again = true
    }
  }

  /** Begins nothing more, and waits for what it does. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#working
  }
}
