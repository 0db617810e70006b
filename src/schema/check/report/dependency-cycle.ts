/** The cycle through which a name depends on itself, directly or indirectly: `['a', 'b', 'a']`. */
export function cycleOf(name: string, readBy: (name: string) => readonly string[]): readonly string[] | undefined {
  const seen = new Set<string>()
  const open = readBy(name).map((one) => [name, one])
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const last = path.at(-1) ?? ''
    if (last === name) return path
    if (seen.has(last)) continue
    seen.add(last)
    for (const one of readBy(last)) open.push([...path, one])
  }
  return undefined
}
