type Compare<T> = (one: T, other: T) => boolean

/** Both lists in their order, the first of equal items only. */
export default function unionWith<T>(
  first: readonly T[] | undefined,
  second: readonly T[] | undefined,
  equal: Compare<T>,
): T[] {
  const union: T[] = []
  for (const item of [...(first ?? []), ...(second ?? [])]) if (!union.some((kept) => equal(item, kept))) union.push(item)
  return union
}
