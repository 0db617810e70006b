import type { Kysely } from 'kysely'

/** A database of which the first statement is followed by something that another process does, before the second begins. */
export function afterFirst<T>(db: Kysely<T>, act: () => Promise<unknown>): Kysely<T> {
  let isFirst = true
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isFirst) {
        isFirst = false
        await act()
      }
      return result
    },
  })
}
