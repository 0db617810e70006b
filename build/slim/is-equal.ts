const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Equality by value of plain data: primitives, dates, lists and objects. */
export default function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false
  if (one instanceof Date || other instanceof Date) return Number(one) === Number(other)
  const values = new Map(Object.entries(one))
  const others = Object.entries(other)
  return values.size === others.length && others.every(([key, value]) => values.has(key) && isEqual(values.get(key), value))
}
