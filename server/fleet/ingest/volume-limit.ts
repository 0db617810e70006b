import { minuteMs } from '#schema/format/durations.ts'

/** A frame costs one token per 256 bytes or part of it, since even invalid ones are stored. */
const unitBytes = 256
const sweepMs = minuteMs

export type Volume = {
  /** Burst: frames that may come at once. */
  most: number
  /** Sustained rate after that. */
  perMin: number
}

/** One board: its tokens at a moment, for each volume. */
type Left = { units: readonly number[]; at: number }

/** Token bucket per board for stored volume, whatever key the board uses. */
export class VolumeLimit {
  readonly #volumes: readonly Volume[]
  readonly #left = new Map<string, Left>()
  #sweptAt = performance.now()

  constructor(...volumes: readonly Volume[]) {
    this.#volumes = volumes
  }

  /** Boards of which something is missing in a bucket. */
  get size(): number {
    return this.#left.size
  }

  /** Takes tokens for the frames from each bucket, or returns the seconds until there are enough. */
  take(boardId: string, frames: readonly Buffer[]): number {
    const now = performance.now()
    this.#sweep(now)
    const asked = frames.reduce((sum, { length }) => sum + Math.ceil(length / unitBytes), 0)
    const left = this.#at(this.#left.get(boardId), now)
    const waits = this.#volumes.map(({ perMin }, index) => Math.ceil(((asked - (left[index] ?? 0)) / perMin) * 60))
    const waitS = Math.max(0, ...waits)
    this.#left.set(boardId, { units: waitS > 0 ? left : left.map((units) => units - asked), at: now })
    return waitS
  }

  #at(left: Left | undefined, now: number): number[] {
    return this.#volumes.map(({ most, perMin }, index) => {
      const units = left?.units[index] ?? most
      return left ? Math.min(most, units + ((now - left.at) / minuteMs) * perMin) : most
    })
  }

  /** A full bucket is the same as none. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    for (const [boardId, left] of this.#left) {
      const units = this.#at(left, now)
      if (this.#volumes.every(({ most }, index) => units[index] === most)) this.#left.delete(boardId)
    }
  }
}
