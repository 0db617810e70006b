import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

type Pointer = { table: string; column: string }

/** Every column of a definition that points to a user. */
function pointersToUsers(definitions: Definitions): Pointer[] {
  const people = new Set(
    [...definitions.values()].filter(({ name, subset }) => (subset?.of ?? name) === 'user').map(({ name }) => name),
  )
  return [...definitions.values()].flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([column, field]) =>
      field.type === 'reference' && isStored(field) && people.has(field.to) ? [{ table: tableOf(resource), column }] : [],
    ),
  )
}

/** Tables only: rows shown through a view, such as the audit log, are left unchanged. */
async function writableOnes(db: Queryable, pointers: readonly Pointer[]): Promise<Pointer[]> {
  const tables = await rowsOf(
    db,
    sql<{ name: string }>`select table_name as "name" from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  const names = new Set(tables.map(({ name }) => name))
  return pointers.filter(({ table }) => names.has(table))
}

/**
 * Erases users whose time to come back has passed: relations and invitations of theirs go with them, other records that name
 * them (the owner of an ESS) become empty there. The audit log keeps its lines.
 */
export async function purgeUsers(db: Queryable, definitions: Definitions, now: Date): Promise<number> {
  const due = await rowsOf(
    db,
    sql<{ id: string; email: string }>`select "id", "email" from "user"
      where "deletedAt" is not null and "purgeAt" <= ${now} order by "purgeAt" limit 100 for update skip locked`,
  )
  const pointers = due.length > 0 ? await writableOnes(db, pointersToUsers(definitions)) : []
  for (const { id } of due) {
    for (const { table, column } of pointers) {
      // A row whose `userId` is theirs is theirs; any other column only mentions them.
      const statement =
        column === 'userId'
          ? sql`delete from ${sql.table(table)} where "userId" = ${id}`
          : sql`update ${sql.table(table)} set ${sql.id(column)} = null, "version" = "version" + 1 where ${sql.id(column)} = ${id}`
      await statement.execute(db)
    }
    for (const table of ['session', 'credential', 'totp', 'recoveryCode', 'challenge', 'link', 'device', 'idempotency'])
      await sql`delete from ${sql.table(table)} where "userId" = ${id}`.execute(db)
    await sql`delete from "user" where "id" = ${id}`.execute(db)
    // Without the address: it is what was to be erased.
    await addAudit(db, { at: now, action: 'purge', entityType: 'user', entityId: id, requestId: '', ip: '' })
  }
  return due.length
}

/** Marks invitations whose link has run out; they may still be sent again. */
export async function expireInvitations(db: Queryable, now: Date): Promise<void> {
  await sql`update "invitation" set "state" = 'EXPIRED', "version" = "version" + 1, "updatedAt" = ${now}
    where "state" = 'PENDING' and "expiresAt" <= ${now}`.execute(db)
}
