import type { Division } from '#schema/facts/outlook-facts.ts'

type Row = Readonly<Record<string, unknown>>

const numberIn = (row: Row, name: string): number | undefined => {
  const value = row[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The rows, or the default rows for an empty list. */
export const rowsOrUsual = (value: unknown, { usual }: Division): readonly Row[] =>
  Array.isArray(value) && value.length > 0 ? value.map((row: unknown): Row => Object(row)) : usual

/** Number of records of `total` per row: a fixed number, or up to a share of all; the last row takes the rest. */
export function dividedSizes(rows: readonly Row[], { count, share }: Division, total: number): number[] {
  let taken = 0
  return rows.map((row, index) => {
    const more = numberIn(row, count)
    const isLast = index === rows.length - 1
    const upTo = isLast ? total : more === undefined ? Math.ceil((total * (numberIn(row, share) ?? 100)) / 100) : taken + more
    const size = Math.max(0, Math.min(total, Math.floor(upTo)) - taken)
    taken += size
    return size
  })
}
