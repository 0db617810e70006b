import type { ClientBase } from 'pg'
import { locks } from '#server/base/advisory-locks.ts'
import type { Database } from './connect.ts'
import { inClientTransaction } from './transaction.ts'

/** A schema migration: SQL, or a function on the migration's connection. */
export type Migration = { id: string; up: string | ((client: ClientBase) => Promise<unknown>) }

export const migrationTable = 'migration'

/** Step of a database into which a move has not copied all rows yet: no server knows it, so none starts there. */
export const unfinishedMove: Migration = { id: 'unfinished-move', up: '' }

/** Runs `work` in one transaction under a lock: servers starting concurrently wait, then find it done. */
export const inSchemaChange = <T>(database: Pick<Database, 'pool'>, work: (client: ClientBase) => Promise<T>): Promise<T> =>
  inClientTransaction(database, async (client) => {
    await client.query(`set local statement_timeout = 0; set local lock_timeout = 0`)
    await client.query('select pg_advisory_xact_lock($1)', [locks.migrations])
    return work(client)
  })

/**
 * Runs pending migrations, all or none, and returns their ids. Data of a newer release is refused. On data of an older release
 * each step is announced first, since it may take minutes.
 */
export function migrate(
  database: Pick<Database, 'pool'>,
  steps: readonly Migration[],
  onStep: (id: string) => void = () => {},
): Promise<string[]> {
  return inSchemaChange(database, async (client) => {
    await client.query(
      `create table if not exists "${migrationTable}" ("id" text primary key, "at" timestamptz(3) not null default now())`,
    )
    const { rows } = await client.query<{ id: string }>('select "id" from "migration"')
    const known = new Set(rows.map(({ id }) => id))
    const later = [...known].filter((id) => !steps.some((step) => step.id === id))
    if (later.includes(unfinishedMove.id))
      throw new Error('A move into this database has not come to its end: run `npm run move` again, or use another database.')
    if (later.length > 0)
      throw new Error(
        `This database belongs to a newer release (${later.toSorted().join(', ')}). Nothing was changed: start that release, or restore a backup.`,
      )
    const open = steps.filter(({ id }) => !known.has(id))
    for (const { id, up } of open) {
      if (known.size > 0) onStep(id)
      await (typeof up === 'string' ? client.query(up) : up(client))
      await client.query('insert into "migration" ("id") values ($1)', [id])
    }
    return open.map(({ id }) => id)
  })
}

/** True when the database responds and all migrations are applied. */
export async function isMigrated(database: Pick<Database, 'pool'>, steps: readonly Migration[]): Promise<boolean> {
  const { rows } = await database.pool.query<{ found: number }>(
    'select count(*) as "found" from "migration" where "id" = any($1)',
    [steps.map(({ id }) => id)],
  )
  return rows[0]?.found === steps.length
}
