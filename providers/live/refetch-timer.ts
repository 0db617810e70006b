import type { Query, QueryClient } from '@tanstack/react-query'

/** In milliseconds. */
const settleMs = 100

/** Asks for whole lists again, each at most once in a while. */
export class RefetchTimer {
  readonly #client: QueryClient
  readonly #timers = new Map<string, { since: number; dueAt: number; timer: ReturnType<typeof setTimeout> }>()
  readonly #last = new Map<string, number>()

  constructor(client: QueryClient) {
    this.#client = client
  }

  /** At once when the list was not asked for within the last `gapMs`, else as soon as these are over. */
  plan(query: Query, gapMs: number): void {
    const now = Date.now()
    const dueAt = Math.max(now + settleMs, this.#lastOf(query) + gapMs)
    const planned = this.#timers.get(query.queryHash)
    if (!planned || planned.dueAt > dueAt) this.#set(query, { since: planned?.since ?? now, dueAt })
  }

  /**
   * For an answer that the server keeps for a moment: asked for when nothing has changed for `restMs`, so that it is of after the
   * last change, and once in `gapMs` while changes never rest.
   */
  planAtRest(query: Query, { restMs, gapMs }: { restMs: number; gapMs: number }): void {
    const now = Date.now()
    const since = this.#timers.get(query.queryHash)?.since ?? now
    this.#set(query, { since, dueAt: Math.min(now + restMs, Math.max(since, this.#lastOf(query)) + gapMs) })
  }

  #lastOf = ({ queryHash }: Query) => this.#last.get(queryHash) ?? 0

  #set({ queryHash, queryKey }: Query, { since, dueAt }: { since: number; dueAt: number }): void {
    clearTimeout(this.#timers.get(queryHash)?.timer)
    const timer = setTimeout(() => {
      this.#timers.delete(queryHash)
      this.#last.set(queryHash, Date.now())
      void this.#client.invalidateQueries({ queryKey, exact: true })
    }, dueAt - Date.now())
    this.#timers.set(queryHash, { since, dueAt, timer })
  }

  stop(): void {
    for (const { timer } of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#last.clear()
  }
}
