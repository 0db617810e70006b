import { minuteMs } from '#schema/format/durations.ts'
import { newOnceKey } from '#schema/wire/once-key.ts'

/** After this time the same content is treated as a new request. */
const retryMs = 10 * minuteMs

type Open = { key: string; sinceMs: number }

/**
 * Idempotency keys of pending POSTs. A retry with the same content reuses the key of the lost call, so that the server executes
 * it once; after a response the same content gets a new key.
 */
export class IdempotencyKeys {
  readonly #open = new Map<string, Open>()

  /** The key for a call's content. */
  take(call: string, nowMs = Date.now()): string {
    const lost = this.#open.get(call)
    if (lost && nowMs - lost.sinceMs <= retryMs) return lost.key
    const key = newOnceKey()
    this.#open.set(call, { key, sinceMs: nowMs })
    return key
  }

  /** The response for this key has arrived. */
  close(key: string): void {
    for (const [call, open] of this.#open) if (open.key === key) this.#open.delete(call)
  }
}
