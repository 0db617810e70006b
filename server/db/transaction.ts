import type { Transaction } from 'kysely'
import type { Database, DatabaseTables } from './connect.ts'

/**
 * Runs `work` in one transaction: commits, or rolls back when it throws. Use only the given handle: the embedded engine has one
 * session, so a query outside of the open transaction would deadlock.
 */
export const inTransaction = <T>(
  database: Pick<Database, 'kysely'>,
  work: (db: Transaction<DatabaseTables>) => Promise<T>,
): Promise<T> => database.kysely.transaction().execute(work)
