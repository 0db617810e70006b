import { CompiledQuery, type DatabaseConnection } from 'kysely'
import type { Database } from './connect.ts'
import type { Queryable } from './query.ts'

/** Hands statements to a connection in the order in which they are asked, without waiting for the answers to earlier ones. */
class Pipeline {
  readonly #connection: DatabaseConnection
  #end: Error | undefined

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  provideConnection<T>(consume: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#end ? Promise.reject(this.#end) : consume(this.#connection)
  }

  /** Later statements get this error: the connection may belong to another transaction by then. */
  end(reason: unknown): void {
    this.#end ??= reason instanceof Error ? reason : new Error(String(reason))
  }

  async say(word: 'begin' | 'commit' | 'rollback'): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw(word))
  }

  /** Without its begin a transaction would commit each statement by itself: no further one is sent. */
  begin = (): Promise<void> =>
    this.say('begin').catch((error: unknown) => {
      this.end(error)
      throw error
    })
}

/**
 * Transaction in pipeline mode: statements that `work` asks for at the same time share a round trip, and are executed in the order in which
 * they were asked. A failed one fails those behind it, and the transaction.
 */
export const inPipeline = <T>({ kysely }: Pick<Database, 'kysely'>, work: (db: Queryable) => Promise<T>): Promise<T> => {
  const executor = kysely.getExecutor()
  return executor.provideConnection(async (connection) => {
    const pipeline = new Pipeline(connection)
    const own = executor.withConnectionProvider(pipeline)
    try {
      const [, result] = await Promise.all([pipeline.begin(), work({ getExecutor: () => own })])
      pipeline.end(new Error('The transaction is over'))
      await pipeline.say('commit')
      return result
    } catch (error) {
      pipeline.end(error)
      await pipeline.say('rollback').catch(() => undefined)
      throw error
    }
  })
}
