import { hourMs } from '#schema/format/durations.ts'

const mostRemembered = 20_000

/** Reads that this process has judged within the last hour. */
export class RecentReads {
  readonly #at = new Map<string, number>()

  has(key: string, now: number): boolean {
    return now - (this.#at.get(key) ?? Number.NEGATIVE_INFINITY) < hourMs
  }

  add(key: string, now: number): void {
    this.#at.delete(key)
    this.#at.set(key, now)
    const [oldest] = this.#at.keys()
    if (this.#at.size > mostRemembered && oldest !== undefined) this.#at.delete(oldest)
  }

  forget(key: string): void {
    this.#at.delete(key)
  }
}
