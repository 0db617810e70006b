import { TtlCache } from '#server/base/ttl-cache.ts'

const keptMs = 5_000

/** Selections that look into other tables, too: any change may make their totals wrong. */
export const manyTables = '*'

export type Totals = {
  /** The kept total of a selection, or the one that `count` gives. Who asks while it is counted waits for the same count. */
  total(table: string, key: string, count: () => Promise<number>): Promise<number>
  /** Forgets the totals of a table; its rows have changed. What is being counted is forgotten, too: it may be of before. */
  forget(table: string): void
}

/** Exact totals of lists, remembered for five seconds: counting costs more than reading the page. */
export function createTotals(): Totals {
  const tables = new Map<string, TtlCache<number>>()
  return {
    total(table, key, count) {
      const own = tables.get(table) ?? new TtlCache<number>(keptMs)
      tables.set(table, own)
      return own.of(key, count)
    },
    forget(changed) {
      for (const table of [changed, manyTables]) tables.delete(table)
    },
  }
}
