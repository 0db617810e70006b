/** `{ id: [1, 2], q: 'a b' }` → `id=1&id=2&q=a%20b`; what is undefined is left out, what is null has a name only. */
export function stringify(values: Record<string, unknown>): string {
  const pair = (name: string, value: unknown) => {
    if (value === undefined) return []
    const written = encodeURIComponent(name)
    return [value === null ? written : `${written}=${encodeURIComponent(String(value))}`]
  }
  return Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.flatMap((item) => pair(name, item)) : pair(name, value)))
    .join('&')
}
