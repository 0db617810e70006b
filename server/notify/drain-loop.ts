import { SingleFlight } from '#server/base/single-flight.ts'

type Drain = {
  /** Processes due entries, up to a batch; returns their number. */
  round: () => Promise<number>
  /** Receives an error that stopped the current run. */
  failed: (error: unknown) => void
}

/**
 * Single-flight worker of a durable queue: it runs in rounds until one finds nothing due, and calls during a run cause another
 * one. Rows are claimed with `skip locked` for longer than an attempt takes, so several processes share one table.
 */
export class DrainLoop {
  readonly #drain: Drain
  readonly #flight = new SingleFlight<void>()
  #last: Promise<void> | undefined
  #closed = false

  constructor(drain: Drain) {
    this.#drain = drain
  }

  get isClosed(): boolean {
    return this.#closed
  }

  get isIdle(): boolean {
    return this.#flight.isIdle
  }

  /** Resolves when everything due at the call has been tried. Never throws. */
  work = (): Promise<void> => {
    this.#last = this.#flight.of(this.#run)
    return this.#last
  }

  readonly #run = async (): Promise<void> => {
    try {
      for (let found = 1; found > 0 && !this.#closed; ) found = await this.#drain.round()
    } catch (error) {
      if (!this.#closed) this.#drain.failed(error)
    }
  }

  /** Starts nothing new, and waits for the current round. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#last
  }
}
