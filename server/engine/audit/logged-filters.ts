/** Parts of a call that are no filter. */
const others: ReadonlySet<string> = new Set(['_start', '_end', '_sort', '_order', 'format', 'columns'])

/** The filters of a list or an export by their names in the call; each reader sees them in his language. */
export function loggedFilters(query: unknown): { filters?: Readonly<Record<string, unknown>> } {
  const filters = Object.entries<unknown>(Object(query)).filter(([name]) => !others.has(name))
  return filters.length > 0 ? { filters: Object.fromEntries(filters) } : {}
}
