import { setImmediate as nextTurn } from 'node:timers/promises'

/** About 2 ms of decoding. */
export const framesPerTurn = 20

/** Other requests have their turn after so many frames: a list needs several, and would wait for a whole group at each. */
export class Turns {
  #frames = 0

  async pass(frames: number): Promise<void> {
    this.#frames += frames
    if (this.#frames < framesPerTurn) return
    this.#frames = 0
    await nextTurn()
  }
}
