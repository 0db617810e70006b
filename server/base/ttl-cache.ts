type Kept<T> = { value: Promise<T>; until: number }

/** A load that takes longer is costly, and may take this part of the time: one of a second is kept for twenty, any for a minute at most. */
const costly = { fromMs: 500, share: 0.05, mostMs: 60_000 }

/** TTL cache of promises: callers within ttlMs share one load. A failed load is not cached. */
export class TtlCache<T> {
  readonly #keptMs: number
  readonly #mayBeCostly: boolean
  readonly #known = new Map<string, Kept<T>>()

  /** `mayBeCostly`: what takes long to load is kept for longer, since a large fleet would else load nothing else. */
  constructor(keptMs: number, { mayBeCostly = false } = {}) {
    this.#keptMs = keptMs
    this.#mayBeCostly = mayBeCostly
  }

  of(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now()
    const known = this.#known.get(key)
    if (known && known.until > now) return known.value
    for (const [other, { until }] of this.#known) if (until <= now) this.#known.delete(other)
    const value = ask()
    // All who ask while it loads share it, however long that takes.
    const kept: Kept<T> = { value, until: this.#mayBeCostly ? Number.POSITIVE_INFINITY : now + this.#keptMs }
    this.#known.set(key, kept)
    value.then(
      () => {
        const tookMs = performance.now() - now
        const longerMs = tookMs > costly.fromMs ? Math.min(tookMs / costly.share, costly.mostMs) : 0
        if (this.#mayBeCostly) kept.until = now + Math.max(this.#keptMs, tookMs + longerMs)
      },
      () => this.#known.delete(key),
    )
    return value
  }
}
