/** TTL cache of promises: callers within ttlMs share one load. A failed load is not cached. */
export class TtlCache<T> {
  readonly #keptMs: number
  readonly #known = new Map<string, { until: number; value: Promise<T> }>()

  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  of(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now()
    const known = this.#known.get(key)
    if (known && known.until > now) return known.value
    for (const [other, { until }] of this.#known) if (until <= now) this.#known.delete(other)
    const value = ask()
    this.#known.set(key, { until: now + this.#keptMs, value })
    value.catch(() => this.#known.delete(key))
    return value
  }
}
