const keptMs = 5_000
const keptMax = 2_000

/** Selections that look into other tables, too: any change may make their totals wrong. */
export const manyTables = '*'

export type Totals = {
  /** The kept total of a selection, or the one that `count` gives. */
  total(table: string, key: string, count: () => Promise<number>): Promise<number>
  /** Forgets the totals of a table; its rows have changed. */
  forget(table: string): void
}

/** Exact totals of lists, remembered for five seconds: counting costs more than reading the page. */
export function createTotals(now: () => number = () => performance.now()): Totals {
  const tables = new Map<string, Map<string, { total: number; until: number }>>()
  const generations = new Map<string, number>()
  const generationOf = (table: string) => generations.get(table) ?? 0
  return {
    async total(table, key, count) {
      const kept = tables.get(table)?.get(key)
      if (kept && kept.until > now()) return kept.total
      const readIn = generationOf(table)
      const total = await count()
      // Not if the table changed while it was counted: the total may be of before.
      if (readIn !== generationOf(table)) return total
      const own = tables.get(table) ?? new Map()
      if (own.size >= keptMax) own.clear()
      tables.set(table, own.set(key, { total, until: now() + keptMs }))
      return total
    },
    forget(changed) {
      for (const table of [changed, manyTables]) {
        generations.set(table, generationOf(table) + 1)
        tables.delete(table)
      }
    },
  }
}
