import type { QueryExecutorProvider, RawBuilder } from 'kysely'

/** Executes statements: the database or the current transaction. */
export type Queryable = QueryExecutorProvider

/** The rows of a statement: `await rowsOf(db, sql<{ id: string }>`select …`)`. */
export const rowsOf = async <T>(db: Queryable, query: RawBuilder<T>): Promise<T[]> => (await query.execute(db)).rows

/** The first row of a statement, if there is one. */
export const rowOf = async <T>(db: Queryable, query: RawBuilder<T>): Promise<T | undefined> => (await query.execute(db)).rows[0]
