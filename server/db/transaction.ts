import type { Transaction } from 'kysely'
import type { Database, DatabaseTables } from './connect.ts'

/**
 * Runs `work` in one transaction: commits what it did, or rolls everything back when it throws. Use only the handle that it is
 * given: the embedded engine has one session, so a query beside the open transaction would wait for it for ever.
 */
export const inTransaction = <T>(
  database: Pick<Database, 'kysely'>,
  work: (db: Transaction<DatabaseTables>) => Promise<T>,
): Promise<T> => database.kysely.transaction().execute(work)
