import type { ServerContext } from '#server/context.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Change } from '#server/records/resource-rules.ts'
import { addEvents } from '#server/records/work.ts'
import type { Board } from './board-context.ts'

const everyMs = 1_000

/** Packages that came of a board; the last one stands for all of them. */
export type News = { board: Board; packageId: string | undefined }

const changesOf = ({ board, packageId }: News): Change[] => [
  { resource: 'control-pcb', id: board.controlPcbId, version: board.version, type: 'updated' },
  ...(board.essId ? [{ resource: 'ess', id: board.essId, version: board.essVersion ?? 1, type: 'updated' as const }] : []),
  ...(packageId ? [{ resource: 'package', id: packageId, version: 1, type: 'created' as const }] : []),
]

/**
 * Tells the live stream that a board has news, at most once a second each: boards can send faster than people read. What comes
 * within the second is told at its end.
 */
export class Announcer {
  readonly #context: Pick<ServerContext, 'database' | 'clock' | 'log'>
  readonly #told = new Map<string, number>()
  readonly #waiting = new Map<string, News>()
  #timer: NodeJS.Timeout | undefined

  constructor(context: Pick<ServerContext, 'database' | 'clock' | 'log'>) {
    this.#context = context
  }

  /** In the transaction of the news. */
  async tell(db: Queryable, news: News, now: Date): Promise<void> {
    const { controlPcbId } = news.board
    const at = performance.now()
    if (at - (this.#told.get(controlPcbId) ?? Number.NEGATIVE_INFINITY) < everyMs) {
      this.#waiting.set(controlPcbId, news)
      this.#timer ??= setTimeout(() => void this.#flush(), everyMs).unref()
      return
    }
    this.#told.set(controlPcbId, at)
    this.#waiting.delete(controlPcbId)
    await addEvents(db, changesOf(news), now)
  }

  async #flush(): Promise<void> {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    this.#timer = undefined
    const at = performance.now()
    for (const [id, toldAt] of this.#told) if (at - toldAt > everyMs) this.#told.delete(id)
    for (const [id] of waiting) this.#told.set(id, at)
    const { database, clock, log } = this.#context
    try {
      await inTransaction(database, (db) =>
        addEvents(
          db,
          waiting.flatMap(([, news]) => changesOf(news)),
          clock(),
        ),
      )
    } catch (error) {
      log.error(error, 'news of boards could not be told')
    }
  }

  /** Tells what waits, and stops. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.size > 0) await this.#flush()
  }
}
