import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

const known = new WeakMap<Database['pool'], Promise<ReadonlySet<string>>>()

async function readZones({ kysely }: Database): Promise<ReadonlySet<string>> {
  const rows = await rowsOf(kysely, sql<{ name: string }>`select "name" from pg_timezone_names`)
  return new Set(rows.map(({ name }) => name))
}

/** Time zones of this database. An older engine may not know a zone that a user has chosen. */
export function zonesOf(database: Database): Promise<ReadonlySet<string>> {
  const found = known.get(database.pool) ?? readZones(database)
  known.set(database.pool, found)
  found.catch(() => known.delete(database.pool))
  return found
}

/** The zone if the database knows it, else UTC. */
export const zoneOr = (zones: ReadonlySet<string>, name: string | null | undefined): string =>
  name && zones.has(name) ? name : 'UTC'

/** The same within a transaction; slow. */
export async function knownZone(db: Queryable, name: string | null): Promise<string> {
  const row = await rowOf(db, sql<{ name: string }>`select "name" from pg_timezone_names where "name" = ${name}`)
  return row?.name ?? 'UTC'
}
