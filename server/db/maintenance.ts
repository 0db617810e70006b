import { sql } from 'kysely'
import type { Database } from './connect.ts'

/**
 * Updates planner statistics after a bulk load. The embedded engine has no autovacuum, so there it also removes dead rows and
 * must be called regularly; one table at a time, to let other statements run in between.
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
