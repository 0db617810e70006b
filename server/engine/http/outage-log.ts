import type { FastifyBaseLogger } from 'fastify'

const windowMs = 1_000

type Outage = { refused: number; reason: string }

/**
 * Logs refusals while the database, or the stream of frames before it, is away: the first one at once, those of each second after it
 * as one line with their number. Boards send on meanwhile, and a stack says nothing about where a server has gone.
 */
export class OutageLog {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  #window: Outage | undefined

  constructor(log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log
  }

  refused(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (this.#window) {
      this.#window.refused += 1
      this.#window.reason = reason
      return
    }
    this.#tell({ refused: 1, reason })
    this.#open()
  }

  #open(): void {
    const window: Outage = { refused: 0, reason: '' }
    this.#window = window
    setTimeout(() => {
      this.#window = undefined
      if (window.refused === 0) return
      this.#tell(window)
      this.#open()
    }, windowMs).unref()
  }

  #tell(outage: Outage): void {
    this.#log.warn(outage, 'requests refused: the database or the stream of frames is away')
  }
}
