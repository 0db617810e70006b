/** Parts of a call that are no filter. */
const others: ReadonlySet<string> = new Set(['_start', '_end', '_sort', '_order', 'format', 'columns'])

/** The filters of a list or an export, as people read them: `role=moderator,installer; q=Ann`. */
export function filterWords(query: unknown): { filter?: string } {
  const filters = Object.entries<unknown>(Object(query)).filter(([name]) => !others.has(name))
  const words = filters.map(([name, value]) => `${name}=${[value].flat().join(',')}`)
  return words.length > 0 ? { filter: words.join('; ') } : {}
}
