import { TtlCache } from '#server/base/ttl-cache.ts'

const keptMs = 5_000

/** Selections that join other tables, and journals: any change invalidates their totals. */
export const manyTables = '*'

export type Totals = {
  /** The cached total of a selection, or the result of `count`. Single-flight: concurrent callers share one count. */
  total(table: string, key: string, count: () => Promise<number>): Promise<number>
  /** Invalidates the totals of a table, including counts in progress, which may predate the change. */
  forget(table: string): void
}

/** Exact totals of lists, cached for five seconds: counting costs more than reading a page. */
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
