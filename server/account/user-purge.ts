import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import { type Erased, eraseFromAudit } from '#server/engine/audit/audit-erasure.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { personReferences } from './person-references.ts'

/**
 * Erases users whose restore period has passed: their relations and invitations are deleted, other references to them (the
 * owner of an ESS) are cleared. The audit log keeps its entries without personal data.
 */
export async function purgeUsers(db: Queryable, definitions: Definitions, now: Date): Promise<number> {
  const due = await rowsOf(
    db,
    sql<{ id: string; email: string }>`select "id", "email" from "user"
      where "deletedAt" is not null and "purgeAt" <= ${now} order by "purgeAt" limit 100 for update skip locked`,
  )
  const references = due.length > 0 ? await personReferences(db, definitions) : []
  const erased: Erased[] = []
  for (const { id, email } of due) {
    const about: string[] = []
    for (const { resource, column } of references) {
      const table = tableOf(resource)
      // A row with their `userId` is deleted; any other column is cleared.
      const statement =
        column === 'userId'
          ? sql<{ id: string }>`delete from ${sql.table(table)} where "userId" = ${id} returning "id"`
          : sql<{
              id: string
            }>`update ${sql.table(table)} set ${sql.id(column)} = null, "version" = "version" + 1 where ${sql.id(column)} = ${id}`
      about.push(...(await rowsOf(db, statement)).map((row) => row.id))
    }
    for (const table of [
      'session',
      'signInDevice',
      'credential',
      'oidcSubject',
      'totp',
      'passkey',
      'recoveryCode',
      'challenge',
      'link',
      'device',
      'idempotency',
    ])
      await sql`delete from ${sql.table(table)} where "userId" = ${id}`.execute(db)
    await sql`update "importJobRow" set "code" = '', "before" = null where "entityId" = ${id}`.execute(db)
    await sql`delete from "user" where "id" = ${id}`.execute(db)
    erased.push({ id, email, about })
  }
  if (erased.length > 0) await eraseFromAudit(db, erased)
  // Without the address, which was just erased.
  for (const { id } of erased) await addServerAudit(db, { at: now, action: 'purge', entityType: 'user', entityId: id })
  return erased.length
}

/** Marks invitations with an expired link; they can still be resent. */
export async function expireInvitations(db: Queryable, now: Date): Promise<void> {
  await sql`update "invitation" set "state" = 'EXPIRED', "version" = "version" + 1, "updatedAt" = ${now}
    where "state" = 'PENDING' and "expiresAt" <= ${now}`.execute(db)
}
