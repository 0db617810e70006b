import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { isActiveAssignment } from './assignment-sql.ts'

/** True while a service engineer is assigned to an ESS; `write` requires the scope FULL. */
export async function isAssigned(db: Queryable, userId: string, essId: unknown, write = false): Promise<boolean> {
  const row = await rowOf(
    db,
    sql<{ scope: string }>`select "r"."scope" from "service_engineer" "r" where ${isActiveAssignment(userId, sql`${essId}`)}`,
  )
  return !!row && (!write || row.scope === 'FULL')
}

/** Refuses a service engineer without an assignment to the ESS; other roles pass. */
export async function requireAssignment(work: Work, essId: unknown): Promise<void> {
  if (work.caller.role !== 'service_engineer') return
  const isOwn = typeof essId === 'string' && (await isAssigned(work.db, work.caller.userId, essId, true))
  if (!isOwn) throw problem('not-assigned')
}

/** Means of a change by a user, or by a job in a user's name. */
export type Writing = Pick<Work, 'now' | 'audit' | 'changed'> & { db: Queryable; caller: { userId: string | null } }

/** Updates columns of one row as a change of a user: version, time, author and a live event. */
export async function writeColumns(work: Omit<Writing, 'audit'>, table: string, id: unknown, values: Row): Promise<void> {
  const columns = Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${jsonOr(value)}`)
  const stamps = [sql`"version" = "version" + 1`, sql`"updatedAt" = ${work.now}`, sql`"updatedBy" = ${work.caller.userId}`]
  const row = await rowOf(
    work.db,
    sql<{
      version: number
    }>`update ${sql.table(table)} set ${sql.join([...columns, ...stamps])} where "id" = ${id} returning "version"`,
  )
  if (row) work.changed({ resource: resourceOf(table), id: String(id), version: row.version, type: 'updated' })
}

/** Deletes the rows of a table that belong to a record, with a live event for each. */
export async function deleteOf({ db, changed }: Work, table: string, owner: Readonly<Record<string, string>>): Promise<void> {
  const where = Object.entries(owner).map(([name, id]) => sql`${sql.id(name)} = ${id}`)
  const gone = await rowsOf(
    db,
    sql<{
      id: string
      version: number
    }>`delete from ${sql.table(table)} where ${sql.join(where, sql` and `)} returning "id", "version"`,
  )
  for (const { id, version } of gone) changed({ resource: resourceOf(table), id, version: version + 1, type: 'deleted' })
}

/** Resource of a table, whose name has underscores instead of hyphens. */
export const resourceOf = (table: string): string => table.replaceAll('_', '-')

const jsonOr = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value
