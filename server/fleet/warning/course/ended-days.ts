import { mostEndedADay } from '#resources/fleet/warnings/day-bound.ts'

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** The first moment of a day. */
export const startOfDay = (at: Date): Date => new Date(dayOf(at))

export const isSameDay = (one: Date | null, other: Date): boolean => one !== null && dayOf(one) === dayOf(other)

/** Numbers of ended warnings by code and day. */
export class EndedDays {
  readonly #counts = new Map<string, number>()

  /** `count`: more of them, or fewer. */
  add(code: string, at: Date, count: number): void {
    const key = `${code} ${dayOf(at)}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }

  isFull = (code: string, at: Date): boolean => (this.#counts.get(`${code} ${dayOf(at)}`) ?? 0) >= mostEndedADay
}
