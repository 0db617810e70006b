import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { WarningRow } from './warning-row.ts'

export type Notice = { id: string; severity: Severity }

/** Left open by the body that opened it: what begins and ends in one body is over before anyone hears of it. */
const mayBeTold = ({ raisedAt, updatedAt }: WarningRow) => updatedAt > raisedAt

/**
 * Flapping is told once. Long after its end it counts as told if it is flapping still, and was open for people to hear of it.
 * Warnings that began and ended during maintenance were not notified.
 */
export const isHeldBack = (known: WarningRow | undefined, flapping: boolean, isAnew: boolean): boolean =>
  known?.flapping === true && !known.suppressed && (!isAnew || (flapping && mayBeTold(known)))

/** Notices of the warnings that a body changes: of each one at a severity, whatever often it comes back. */
export class BodyNotices {
  readonly #notices: Notice[] = []
  readonly #anew = new Set<string>()

  /** `isAnew`: of a warning that had ended long before. */
  add({ id, severity }: WarningRow, isAnew = false): void {
    if (this.#notices.some((one) => one.id === id && one.severity === severity)) return
    this.#notices.push({ id, severity })
    if (isAnew) this.#anew.add(id)
  }

  /** One that is back and has ended again in the same body is no news: its notices would wait for the next time. */
  toWrite(changed: readonly WarningRow[]): Notice[] {
    const over = new Set(changed.flatMap(({ id, active }) => (active ? [] : [id])))
    return this.#notices.filter(({ id }) => !(this.#anew.has(id) && over.has(id)))
  }
}
