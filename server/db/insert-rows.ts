import { sql } from 'kysely'
import type { Queryable } from './query.ts'

const rowsAtOnce = 500

/** Inserts rows into one table in a few statements; columns that no row has take the table's default. */
export async function insertRows(
  db: Queryable,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const names = sql.join(columns.map((name) => sql.id(name)))
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await sql`insert into ${sql.table(table)} (${names}) select ${names}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(at, at + rowsAtOnce))}::jsonb)`.execute(
      db,
    )
  }
}
