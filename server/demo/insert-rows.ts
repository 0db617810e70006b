import { sql } from 'kysely'
import type { Queryable } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'

/** Rows of one table in a few statements; columns that a row leaves out take the table's default. */
export async function insertRows(db: Queryable, table: string, rows: readonly Row[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const names = sql.join(columns.map((name) => sql.id(name)))
  for (let at = 0; at < rows.length; at += 500) {
    await sql`insert into ${sql.table(table)} (${names}) select ${names}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(at, at + 500))}::jsonb)`.execute(db)
  }
}
