/** A board that a rollout may ask. `sort` says which others are like it; `isReady`: online, and nothing is wrong with it. */
export type Choosable = { id: string; sort: string; isReady: boolean }

/** How many boards of the rollout are of the same sort. */
export type Chosen<B extends Choosable> = B & { alike: number }

/**
 * The order in which boards are asked: those that are ready come first, and of any number of first ones each sort has its share, the
 * most frequent sort the first place. Among equals the given order stays, which is by lot.
 */
export function inOrder<B extends Choosable>(boards: readonly B[]): Chosen<B>[] {
  const sizes = new Map<string, number>()
  for (const { sort } of boards) sizes.set(sort, (sizes.get(sort) ?? 0) + 1)
  const key = ({ sort, isReady }: B) => `${isReady} ${sort}`
  const groups = new Map<string, B[]>()
  for (const board of boards) {
    const group = groups.get(key(board))
    if (group) group.push(board)
    else groups.set(key(board), [board])
  }
  const placed = [...groups.values()].flatMap((group) =>
    group.map((board, index) => ({
      board: { ...board, alike: sizes.get(board.sort) ?? 1 },
      place: (index + 0.5) / group.length,
      size: group.length,
    })),
  )
  return placed
    .toSorted((a, b) => Number(b.board.isReady) - Number(a.board.isReady) || a.place - b.place || b.size - a.size)
    .map(({ board }) => board)
}
