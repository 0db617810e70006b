/** Seeded random numbers (mulberry32): the same seed gives the same fleet. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(among: readonly T[]): T {
    const found = among[Math.floor(this.next() * among.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.int(0, 255)))
  }

  /** A UUID version 7: its time is `at`, the rest comes from the seed. */
  id(at: Date): string {
    const time = at.getTime().toString(16).padStart(12, '0')
    const rest = this.bytes(10).toString('hex')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${'89ab'[this.int(0, 3)]}${rest.slice(3, 6)}-${rest.slice(6, 18)}`
  }
}
