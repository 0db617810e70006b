import type { Kysely } from 'kysely'

/** A database of which the first statement, or so many of them, is followed by something that another process does before the next begins. */
export function afterFirst<T>(db: Kysely<T>, act: () => Promise<unknown>, count = 1): Kysely<T> {
  let left = count
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      left -= 1
      if (left === 0) await act()
      return result
    },
  })
}
