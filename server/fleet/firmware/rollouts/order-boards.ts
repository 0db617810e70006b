/**
 * Boards of one sort that are equally ready. `sort` identifies equivalent boards; `isReady`: online and without problems. `ids`
 * are the first of the `count` boards, or all of them, in order of their lots.
 */
export type Alike = { sort: string; isReady: boolean; count: number; ids: readonly string[] }

/** A board in its position, with the number of boards of the same sort. */
export type Placed<A extends Alike> = { id: string; of: A; alike: number }

/**
 * Request order: ready boards first, and every prefix of the order contains each sort in proportion, starting with the most
 * frequent.
 */
export function inOrder<A extends Alike>(groups: readonly A[]): Placed<A>[] {
  const sizes = new Map<string, number>()
  for (const { sort, count } of groups) sizes.set(sort, (sizes.get(sort) ?? 0) + count)
  const placed = groups.flatMap((of) =>
    of.ids.map((id, index) => ({ id, of, alike: sizes.get(of.sort) ?? 1, place: (index + 0.5) / of.count })),
  )
  return placed
    .toSorted((a, b) => Number(b.of.isReady) - Number(a.of.isReady) || a.place - b.place || b.of.count - a.of.count)
    .map(({ place: _, ...board }) => board)
}
