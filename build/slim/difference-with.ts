type Compare<T> = (one: T, other: T) => boolean

/** What is in the first list and in none of the others. The last argument compares. */
export default function differenceWith<T>(
  list: readonly T[] | undefined,
  without: readonly T[] | undefined,
  equal: Compare<T>,
): T[] {
  return (list ?? []).filter((item) => !(without ?? []).some((other) => equal(item, other)))
}
