import { sql } from 'kysely'
import type { Database } from './connect.ts'

/**
 * Tells the planner what the tables hold: after a bulk load on any engine. The embedded one has no autovacuum, so there it
 * also sweeps dead rows and is to be called from time to time; one table after the other, so that others get a turn between.
 */
export async function refreshStatistics(
  { kind, kysely }: Pick<Database, 'kind' | 'kysely'>,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select tablename as "name" from pg_tables where schemaname = current_schema()`.execute(kysely)
  const command = sql.raw(kind === 'embedded' ? 'vacuum (analyze)' : 'analyze')
  for (const { name } of rows) {
    if (signal?.aborted) return
    await sql`${command} ${sql.table(name)}`.execute(kysely)
  }
}
