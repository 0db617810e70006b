import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from './query.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const rowsAtOnce = 500

/**
 * Rows as a relation with the columns of a table. The type comes from the table itself: a cast by name finds a type of PostgreSQL
 * first, as for "line", "point" or "path".
 */
export function recordset(table: string, rows: Rows): RawBuilder<unknown> {
  const noRow = sql`(select "_row" from ${sql.table(table)} as "_row" limit 0)`
  return sql`jsonb_populate_recordset(${noRow}, ${JSON.stringify(rows)}::jsonb)`
}

/** Inserts rows into one table in a few statements; columns that no row has take the table's default. */
export async function insertRows(db: Queryable, table: string, rows: Rows): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const names = sql.join(columns.map((name) => sql.id(name)))
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const given = recordset(table, rows.slice(at, at + rowsAtOnce))
    await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${given}`.execute(db)
  }
}
