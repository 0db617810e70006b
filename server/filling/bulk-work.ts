import { mostEvents } from '#server/db/events/add-events.ts'
import type { Work, WorkEntry } from '#server/engine/records/resource-rules.ts'

/** Events that several transactions of one work have announced. */
export type Announced = { count: number }

/**
 * Work over many records: audit entries are batched until `flush`, and announced changes are capped. Beyond the cap each
 * transaction still announces one, so that lists and cached totals follow. A change for one person is never left out: that
 * person hears of no other, and there are no more of them than records in a transaction.
 */
export function bulkWork(work: Work, announced: Announced = { count: 0 }): { work: Work; flush: () => Promise<void> } {
  const entries: WorkEntry[] = []
  let isFirst = true
  return {
    work: {
      ...work,
      audit: async (entry) => void entries.push(entry),
      auditAll: async (more) => void entries.push(...more),
      changed: (change) => {
        if (change.userId !== undefined) return work.changed(change)
        announced.count += 1
        if (isFirst || announced.count <= mostEvents) work.changed(change)
        isFirst = false
      },
    },
    flush: () => work.auditAll(entries.splice(0)),
  }
}
