import { mostEndedADay } from '#resources/fleet/warnings/day-bound.ts'

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** The first moment of a day. */
export const startOfDay = (at: Date): Date => new Date(dayOf(at))

export const isSameDay = (one: Date | null, other: Date): boolean => one !== null && dayOf(one) === dayOf(other)

const keyOf = (code: string, essId: string | null, at: Date) => `${code} ${essId} ${dayOf(at)}`

/** Numbers of ended warnings by code, system and day. */
export class EndedDays {
  readonly #counts = new Map<string, number>()

  /** `count`: more of them, or fewer. */
  add({ code, essId }: { code: string; essId: string | null }, at: Date, count: number): void {
    const key = keyOf(code, essId, at)
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }

  isFull = (code: string, essId: string | null, at: Date): boolean =>
    (this.#counts.get(keyOf(code, essId, at)) ?? 0) >= mostEndedADay
}
