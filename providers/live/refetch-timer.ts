import type { Query, QueryClient } from '@tanstack/react-query'

/** In milliseconds. */
const settleMs = 100

/** Asks for whole lists again, each at most once in a while. */
export class RefetchTimer {
  readonly #client: QueryClient
  readonly #timers = new Map<string, { dueAt: number; timer: ReturnType<typeof setTimeout> }>()
  readonly #last = new Map<string, number>()

  constructor(client: QueryClient) {
    this.#client = client
  }

  /** At once when the list was not asked for within the last `gapMs`, else as soon as these are over. */
  plan({ queryHash, queryKey }: Query, gapMs: number): void {
    const now = Date.now()
    const dueAt = Math.max(now + settleMs, (this.#last.get(queryHash) ?? 0) + gapMs)
    const planned = this.#timers.get(queryHash)
    if (planned && planned.dueAt <= dueAt) return
    clearTimeout(planned?.timer)
    const timer = setTimeout(() => {
      this.#timers.delete(queryHash)
      this.#last.set(queryHash, Date.now())
      void this.#client.invalidateQueries({ queryKey, exact: true })
    }, dueAt - now)
    this.#timers.set(queryHash, { dueAt, timer })
  }

  stop(): void {
    for (const { timer } of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#last.clear()
  }
}
