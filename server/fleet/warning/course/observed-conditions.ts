import type { Queryable } from '#server/db/query.ts'
import type { OpenWarning, Peak } from '#server/fleet/warning/evaluate.ts'
import { keyOf } from './held-conditions.ts'
import { WarningChanges } from './warning-changes.ts'
import type { Observed } from './warning-row.ts'

/** Write-behind of one board's open warnings: after a silence it sends thousands of frames in which a condition lasts. */
export class ObservedConditions {
  readonly #latest = new Map<string, Observed>()

  /** Keeps the latest time at which the conditions were observed, and their worst values. */
  note(seen: readonly OpenWarning[], at: Date, peaks: readonly Peak[] = []): void {
    for (const one of seen) {
      const { code, subject } = one
      const before = this.#latest.get(keyOf(one))
      const { value, threshold } = peaks.find(({ of }) => of === one) ?? before ?? { value: null, threshold: null }
      const latest = before && before.at > at ? before.at : at
      this.#latest.set(keyOf(one), { code, subject, at: latest, value, threshold })
    }
  }

  /** Answers the rows to write, and forgets them. */
  take(): Observed[] {
    const rows = [...this.#latest.values()]
    this.#latest.clear()
    return rows
  }
}

/** Changes the rows of many boards by what was observed of them. */
export async function keepObserved(
  db: Queryable,
  all: readonly { seen: readonly Observed[]; changes: WarningChanges }[],
): Promise<void> {
  const some = all.filter(({ seen }) => seen.length > 0)
  await WarningChanges.load(
    db,
    some.map(({ changes }) => changes),
    { isOpenOnly: true },
  )
  for (const { seen, changes } of some) changes.observe(seen)
}
