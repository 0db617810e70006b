import type { ServerResponse } from 'node:http'
import { problem } from '#server/base/problems.ts'

/** A board sends one after the other; on a line that breaks off some of the former ones are still open. */
const mostOfKey = 16
const retryAfterS = 30

/**
 * Calls with a body by device key, from their head to their answer: a slow line has long for a body, so their number bounds the memory
 * and the connections that one key can hold.
 */
export class OpenBodies {
  readonly #open = new Map<string, number>()

  /** Throws 429 where too many are open; `answer` tells when this one is over. */
  begin(hash: string, answer: Pick<ServerResponse, 'once'>): void {
    const open = this.#open.get(hash) ?? 0
    if (open >= mostOfKey) throw problem('too-many', { retryAfterS })
    this.#open.set(hash, open + 1)
    answer.once('close', () => {
      const left = (this.#open.get(hash) ?? 1) - 1
      if (left > 0) this.#open.set(hash, left)
      else this.#open.delete(hash)
    })
  }
}
