import type { Query, QueryClient } from '@tanstack/react-query'

/** Debounce in milliseconds. */
const settleMs = 100

/** Throttles refetches of lists. */
export class RefetchTimer {
  readonly #client: QueryClient
  readonly #timers = new Map<string, { since: number; dueAt: number; timer: ReturnType<typeof setTimeout> }>()
  readonly #last = new Map<string, number>()

  constructor(client: QueryClient) {
    this.#client = client
  }

  /** Throttle: refetches at once, or as soon as `gapMs` have passed since the last refetch. */
  plan(query: Query, gapMs: number): void {
    const now = Date.now()
    const dueAt = Math.max(now + settleMs, this.#lastOf(query) + gapMs)
    const planned = this.#timers.get(query.queryHash)
    if (!planned || planned.dueAt > dueAt) this.#set(query, { since: planned?.since ?? now, dueAt })
  }

  /**
   * Debounce with a maximum wait, for aggregates that the server caches: refetches when nothing has changed for `restMs`, and
   * at least once in `gapMs` during constant changes.
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
