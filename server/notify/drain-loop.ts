type Drain = {
  /** Processes due entries, up to a batch; returns their number. */
  round: () => Promise<number>
  /** Receives an error that stopped the current run. */
  failed: (error: unknown) => void
}

/**
 * Single-flight worker of a durable queue: it runs in rounds until one finds nothing due, and calls during a run cause another
 * round. Rows are claimed with `skip locked` for longer than an attempt takes, so several processes share one table.
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

  /** Resolves when everything due has been tried. Never throws. */
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

  /** Starts nothing new, and waits for the current round. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#working
  }
}
