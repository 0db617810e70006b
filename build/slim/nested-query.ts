type Tree = { [key: string]: Tree | string }

const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** `a[0][field]` → `['a', '0', 'field']` */
const pathOf = (name: string): string[] => name.split(/\[|\]\[|\]/).filter((part, index) => part !== '' || index === 0)

/** Objects whose keys count up from nought are lists. */
function withLists(tree: Tree | string): unknown {
  if (typeof tree === 'string') return tree
  const entries = Object.entries(tree).map(([key, value]) => [key, withLists(value)] as const)
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

/** Reads `?a=1&b[0][c]=2`. Names that would reach a prototype are dropped. */
function parse(search: string): unknown {
  const root: Tree = {}
  for (const [name, value] of new URLSearchParams(search)) {
    const path = pathOf(name)
    const last = path.pop()
    if (last === undefined || forbidden.has(last) || path.some((part) => forbidden.has(part))) continue
    let node = root
    for (const part of path) {
      const next = node[part]
      node = node[part] = typeof next === 'object' ? next : {}
    }
    node[last] = value
  }
  // Only lists below the root: a query `?0=x` is still an object.
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, withLists(value)]))
}

type Options = { addQueryPrefix?: boolean; encode?: boolean }

/** Writes what `parse` reads; absent values are left out. `encode: false` means that the values are encoded already. */
function stringify(values: Record<string, unknown>, { addQueryPrefix = false, encode = true }: Options = {}): string {
  const write = encode ? encodeURIComponent : (text: string) => text
  const pairs = (value: unknown, name: string): string[] => {
    if (value === undefined || value === null) return []
    if (typeof value === 'object') return Object.entries(value).flatMap(([key, inner]) => pairs(inner, `${name}[${key}]`))
    return [`${write(name)}=${write(String(value))}`]
  }
  const query = Object.entries(values)
    .flatMap(([key, value]) => pairs(value, key))
    .join('&')
  return addQueryPrefix && query ? `?${query}` : query
}

export default { parse, stringify }
