import type { ServerContext } from '#server/base/context.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Board } from './board-context.ts'

const everyMs = 1_000
/** Changes due shortly after join the same transaction. */
const gatherMs = 100

/** Packets received from a board; the last one represents all. */
export type News = { board: Board; packageId: string | undefined }

const changesOf = ({ board, packageId }: News): Change[] => [
  { resource: 'control-pcb', id: board.controlPcbId, version: board.version, type: 'updated' },
  ...(board.essId ? [{ resource: 'ess', id: board.essId, version: board.essVersion ?? 1, type: 'updated' as const }] : []),
  ...(packageId ? [{ resource: 'package', id: packageId, version: 1, type: 'created' as const }] : []),
]

/**
 * Throttle: announces changes of a board at most once a second, since boards send faster than people read. Changes within the
 * second are announced at its end.
 */
export class ChangeThrottle {
  readonly #context: Pick<ServerContext, 'database' | 'clock' | 'log'>
  readonly #announcedAt = new Map<string, number>()
  readonly #waiting = new Map<string, News>()
  #timer: NodeJS.Timeout | undefined

  constructor(context: Pick<ServerContext, 'database' | 'clock' | 'log'>) {
    this.#context = context
  }

  /** Runs in the transaction of the changes; at most one entry per board. */
  async tell(db: Queryable, news: readonly News[], now: Date): Promise<void> {
    const at = performance.now()
    const due: News[] = []
    for (const one of news) {
      const { controlPcbId } = one.board
      if (this.#dueAt(controlPcbId) > at) {
        this.#waiting.set(controlPcbId, one)
        continue
      }
      this.#announcedAt.set(controlPcbId, at)
      this.#waiting.delete(controlPcbId)
      due.push(one)
    }
    this.#wake(at)
    await addEvents(db, due.flatMap(changesOf), now)
  }

  #dueAt = (id: string) => (this.#announcedAt.get(id) ?? Number.NEGATIVE_INFINITY) + everyMs

  /** Schedules the next flush for the first due entry. */
  #wake(at: number): void {
    if (this.#timer || this.#waiting.size === 0) return
    const next = Math.min(...[...this.#waiting.keys()].map(this.#dueAt))
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        void this.#flush(performance.now())
      },
      Math.max(gatherMs, next - at),
    ).unref()
  }

  /** Announces all due entries. */
  async #flush(at: number): Promise<void> {
    const waiting = [...this.#waiting].filter(([id]) => this.#dueAt(id) <= at)
    for (const [id, announcedAt] of this.#announcedAt) if (at - announcedAt > everyMs) this.#announcedAt.delete(id)
    for (const [id] of waiting) {
      this.#waiting.delete(id)
      this.#announcedAt.set(id, performance.now())
    }
    this.#wake(performance.now())
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
      log.error(error, 'changes of boards could not be announced')
    }
  }

  /** Announces all waiting entries and stops. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.size > 0) await this.#flush(Number.POSITIVE_INFINITY)
    clearTimeout(this.#timer)
  }
}
