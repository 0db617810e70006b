import type { ServerResponse } from 'node:http'
import { problem } from '#server/base/problems.ts'

/** A board sends one after the other; on a line that breaks off some of the former ones are still open. */
const mostOfBoard = 16
const retryAfterS = 30

/**
 * Calls with a body by board, from their head to their answer: a slow line has long for a body, so their number bounds the memory
 * and the connections that one board can hold.
 */
export class OpenBodies {
  readonly #open = new Map<string, number>()

  /** Throws 429 where too many are open; `answer` tells when this one is over. */
  begin(boardId: string, answer: Pick<ServerResponse, 'once'>): void {
    const open = this.#open.get(boardId) ?? 0
    if (open >= mostOfBoard) throw problem('too-many', { retryAfterS })
    this.#open.set(boardId, open + 1)
    answer.once('close', () => {
      const left = (this.#open.get(boardId) ?? 1) - 1
      if (left > 0) this.#open.set(boardId, left)
      else this.#open.delete(boardId)
    })
  }
}
