/** `until`: fresh before it, in ms of `performance.now()`; `endsAt`: no answer after it. */
type Kept<T> = { value: Promise<T>; until: number; endsAt: number }

/**
 * A value that takes longer to load, twice in a row within `togetherMs`, is costly, and may take this part of the time: one of a
 * second is kept for twenty.
 */
const costly = { fromMs: 1_000, share: 0.05, mostMs: 60_000, togetherMs: 600_000 }
/** A costly value answers for this many times as long as it is fresh, while it is loaded anew. */
const staleTimes = 5

/** `mayBeCostly`: what takes long to load is kept for longer, at most `mostMs`, since a large fleet would else load nothing else. */
type Options = { mayBeCostly?: boolean; mostMs?: number }

/**
 * TTL cache of promises: callers within ttlMs share one load. A failed load is not cached. A costly value is stale while it is
 * revalidated: only who asks after a long pause waits.
 */
export class TtlCache<T> {
  readonly #keptMs: number
  readonly #mayBeCostly: boolean
  readonly #mostMs: number
  readonly #known = new Map<string, Kept<T>>()
  readonly #loading = new Set<string>()
  /** The last load by key where it was slow: a single one tells of a busy moment as well as of a costly value. */
  readonly #slow = new Map<string, { tookMs: number; at: number }>()

  constructor(keptMs: number, { mayBeCostly = false, mostMs = costly.mostMs }: Options = {}) {
    this.#keptMs = keptMs
    this.#mayBeCostly = mayBeCostly
    this.#mostMs = mostMs
  }

  of(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now()
    for (const [other, { endsAt }] of this.#known) if (endsAt <= now) this.#known.delete(other)
    const known = this.#known.get(key)
    if (!known) return this.#load(key, ask, now)
    if (known.until <= now && !this.#loading.has(key)) this.#revalidate(key, known, ask)
    return known.value
  }

  /** True while a newer value than that of `of` is being loaded. */
  isRevalidating(key: string): boolean {
    return this.#loading.has(key)
  }

  /** All who ask while it loads share it, however long that takes. */
  #load(key: string, ask: () => Promise<T>, startedAt: number): Promise<T> {
    const endsAt = this.#mayBeCostly ? Number.POSITIVE_INFINITY : startedAt + this.#keptMs
    const kept: Kept<T> = { value: ask(), until: endsAt, endsAt }
    this.#known.set(key, kept)
    kept.value.then(
      () => this.#mayBeCostly && Object.assign(kept, this.#times(key, startedAt)),
      () => this.#known.get(key) === kept && this.#known.delete(key),
    )
    return kept.value
  }

  #revalidate(key: string, stale: Kept<T>, ask: () => Promise<T>): void {
    const startedAt = performance.now()
    this.#loading.add(key)
    ask()
      .then((value) => {
        // A load that began after the end of the stale value is the newer one.
        if ((this.#known.get(key) ?? stale) !== stale) return
        this.#known.set(key, { value: Promise.resolve(value), ...this.#times(key, startedAt) })
      })
      // The stale value answers until its end; the next caller tries again.
      .catch(() => undefined)
      .finally(() => this.#loading.delete(key))
  }

  #times(key: string, startedAt: number): Pick<Kept<T>, 'until' | 'endsAt'> {
    const now = performance.now()
    const tookMs = now - startedAt
    const before = this.#slow.get(key)
    this.#slow.delete(key)
    if (tookMs <= costly.fromMs) return { until: startedAt + this.#keptMs, endsAt: startedAt + this.#keptMs }
    this.#slow.set(key, { tookMs, at: now })
    // The next load tells which of both it is; callers get this value until then.
    if (!before || before.at < now - costly.togetherMs)
      return { until: startedAt + this.#keptMs, endsAt: now + Math.max(this.#keptMs * staleTimes, tookMs) }
    const freshMs = Math.max(this.#keptMs, Math.min(Math.min(tookMs, before.tookMs) / costly.share, this.#mostMs))
    return { until: now + freshMs, endsAt: now + freshMs * staleTimes }
  }
}
