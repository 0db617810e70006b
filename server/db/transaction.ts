import type { Transaction } from 'kysely'
import type { ClientBase } from 'pg'
import type { Database, DatabaseTables } from './connect.ts'

/**
 * Runs `work` in one transaction: commits, or rolls back when it throws. Use only the given handle: the embedded engine has one
 * session, so a query outside of the open transaction would deadlock.
 */
export const inTransaction = <T>(
  database: Pick<Database, 'kysely'>,
  work: (db: Transaction<DatabaseTables>) => Promise<T>,
): Promise<T> => database.kysely.transaction().execute(work)

/** The same on a client of the driver, for statements outside Kysely. `begin` starts the transaction. */
export async function inClientTransaction<T>(
  { pool }: Pick<Database, 'pool'>,
  work: (client: ClientBase) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}
