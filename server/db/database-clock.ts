import { sql } from 'kysely'
import type { Database } from './connect.ts'
import { rowOf } from './query.ts'

type Reading = { databaseMs: number; atMs: number; tripMs: number }
type Options = { database: Pick<Database, 'kysely'>; onError: (error: unknown) => void; everyMs?: number }

const usualMs = 30_000
/** The fastest of a few answers says most exactly when the database looked at its clock. */
const readings = 3

/**
 * The time of the database, for processes that share one: what one writes another compares, and their own clocks may differ by
 * minutes. It is read now and then and goes on by this process's steady clock, so that no clock that is set takes part.
 */
export class DatabaseClock {
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #reading: Reading = { databaseMs: 0, atMs: 0, tripMs: 0 }

  private constructor(options: Options) {
    this.#options = options
  }

  static async start(options: Options): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options)
    await clock.#read()
    const read = () => void clock.#read().catch(options.onError)
    clock.#timer = setInterval(read, options.everyMs ?? usualMs)
    clock.#timer.unref()
    return clock
  }

  async #readOnce(): Promise<Reading> {
    const asked = performance.now()
    const row = await rowOf(
      this.#options.database.kysely,
      sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as "ms"`,
    )
    const atMs = performance.now()
    const tripMs = atMs - asked
    return { databaseMs: Number(row?.ms) + tripMs / 2, atMs, tripMs }
  }

  async #read(): Promise<void> {
    let best = await this.#readOnce()
    for (let more = 1; more < readings; more += 1) {
      const next = await this.#readOnce()
      if (next.tripMs < best.tripMs) best = next
    }
    this.#reading = best
  }

  readonly now = (): Date => {
    const { databaseMs, atMs } = this.#reading
    return new Date(databaseMs + performance.now() - atMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
