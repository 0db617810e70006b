import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** Rows of a table; with a column, those with a non-null value in it. */
export async function countRows(db: Queryable, table: string, column?: string): Promise<number> {
  const what = column ? sql.id(column) : sql`*`
  const [counted] = await rowsOf(db, sql<{ rows: number }>`select count(${what}) as "rows" from ${sql.table(table)}`)
  return counted?.rows ?? 0
}
