import type { OpenWarning, Peak } from '#server/fleet/warning/evaluate.ts'
import type { Observed } from '#server/fleet/warning/warning-store.ts'
import { keyOf } from './held-conditions.ts'

/** Write-behind of one board's open warnings: after a silence it sends thousands of frames in which a condition lasts. */
export class ObservedConditions {
  readonly #controlPcbId: string
  readonly #latest = new Map<string, Observed>()

  constructor(controlPcbId: string) {
    this.#controlPcbId = controlPcbId
  }

  /** Keeps the latest time at which the conditions were observed, and their worst values. */
  note(seen: readonly OpenWarning[], at: Date, peaks: readonly Peak[] = []): void {
    for (const one of seen) {
      const { code, subject } = one
      const before = this.#latest.get(keyOf(one))
      const { value, threshold } = peaks.find(({ of }) => of === one) ?? before ?? { value: null, threshold: null }
      const latest = before && before.at > at ? before.at : at
      this.#latest.set(keyOf(one), { controlPcbId: this.#controlPcbId, code, subject, at: latest, value, threshold })
    }
  }

  /** Answers the rows to write, and forgets them. */
  take(): Observed[] {
    const rows = [...this.#latest.values()]
    this.#latest.clear()
    return rows
  }
}
