/**
 * Boards that are alike and equally ready. `sort` says which others are like them; `isReady`: online, and nothing is wrong with them.
 * `ids` are the first of the `count` boards, or all of them, in the order of their lots.
 */
export type Alike = { sort: string; isReady: boolean; count: number; ids: readonly string[] }

/** A board in its place, with how many boards of the rollout are of the same sort. */
export type Placed<A extends Alike> = { id: string; of: A; alike: number }

/**
 * The order in which boards are asked: those that are ready come first, and of any number of first ones each sort has its share, the
 * most frequent sort the first place.
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
