import { minuteMs } from '#schema/format/durations.ts'

/** After that, the same content is meant once more: people have long seen whether the first try came through. */
const retryMs = 10 * minuteMs

const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

type Open = { key: string; sinceMs: number }

/**
 * Keys of the POSTs whose answer has not come. A call with the same content takes the key of the lost one, so that the server does the
 * work once; an answered one is over, and the same content makes another record.
 */
export class IdempotencyKeys {
  readonly #open = new Map<string, Open>()

  /** The key for a call by its content. */
  take(call: string, nowMs = Date.now()): string {
    const lost = this.#open.get(call)
    if (lost && nowMs - lost.sinceMs <= retryMs) return lost.key
    const key = newKey()
    this.#open.set(call, { key, sinceMs: nowMs })
    return key
  }

  /** The call with this key has been answered. */
  close(key: string): void {
    for (const [call, open] of this.#open) if (open.key === key) this.#open.delete(call)
  }
}
