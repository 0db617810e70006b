import type { TestEngine } from './databases.ts'

/** An engine whose databases count the statements that the server asks of them. */
export function countedEngine(engine: TestEngine): { engine: TestEngine; count: () => number } {
  let count = 0
  const counting: TestEngine = {
    ...engine,
    async open(options) {
      const database = await engine.open(options)
      const kysely = database.kysely.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          count += 1
          return result
        },
      })
      return { ...database, kysely }
    },
  }
  return { engine: counting, count: () => count }
}
