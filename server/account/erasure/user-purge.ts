import { sql } from 'kysely'
import { type PersonReference, personReferences } from '#server/account/person-references.ts'
import { displayName } from '#server/base/caller.ts'
import type { ServerContext } from '#server/base/context.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import { type Erased, eraseFromAudit } from '#server/engine/audit/audit-erasure.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { removeMailsTo } from '#server/notify/expired-mails.ts'
import { eraseReferences } from './erase-references.ts'

type Due = { id: string; email: string; firstName: string | null; lastName: string | null }
type Touched = { id: string; version: number }

const toldOf = (resource: string, type: Change['type'], rows: readonly Touched[]): Change[] =>
  rows.map(({ id, version }) => ({ resource, id, version: type === 'deleted' ? version + 1 : version, type }))

/** Deletes what is about a user only, clears other references, and says what has changed. */
async function detach(db: Queryable, id: string, { resource, column }: PersonReference): Promise<Change[]> {
  const table = sql.table(tableOf(resource))
  const { name } = resource
  if (column === 'userId') {
    const statement = sql<Touched>`delete from ${table} where "userId" = ${id} returning "id", "version"`
    return toldOf(name, 'deleted', await rowsOf(db, statement))
  }
  const statement = sql<Touched>`update ${table} set ${sql.id(column)} = null, "version" = "version" + 1
    where ${sql.id(column)} = ${id} returning "id", "version"`
  return toldOf(name, 'updated', await rowsOf(db, statement))
}

/** Deletes mails to a person, waiting and given up. */
async function eraseMails(db: Queryable, { id, email }: Due): Promise<Change[]> {
  const gone = await rowsOf(
    db,
    sql<Touched>`delete from "undelivered_message" where "userId" = ${id} or "recipient" = ${email} returning "id", "version"`,
  )
  const ids = gone.map((row) => row.id)
  await sql`delete from "mailJob" where "id" = any(${sql.val(ids)}::text[]) or "mail"->>'to' = ${email}`.execute(db)
  return toldOf('undelivered-message', 'deleted', gone)
}

/**
 * Erases users whose restore period has passed: their relations and invitations are deleted, other references to them (the
 * owner of an ESS, the author of a comment) are cleared, and their waiting or unsent mails are removed. The audit log keeps its
 * entries without personal data.
 */
export async function purgeUsers(
  db: Queryable,
  { definitions, config }: Pick<ServerContext, 'definitions' | 'config'>,
  now: Date,
): Promise<number> {
  const due = await rowsOf(
    db,
    sql<Due>`select "id", "email", "firstName", "lastName" from "user"
      where "deletedAt" is not null and "purgeAt" <= ${now} order by "purgeAt" limit 100 for update skip locked`,
  )
  if (due.length === 0) return 0
  const references = await personReferences(db, definitions)
  const erased: Erased[] = []
  const touched: string[] = []
  for (const person of due) {
    const { id, email, firstName, lastName } = person
    const changes = await eraseMails(db, person)
    for (const reference of references) changes.push(...(await detach(db, id, reference)))
    const idsOf = (type: Change['type']) => changes.flatMap((change) => (change.type === type ? [change.id] : []))
    touched.push(...idsOf('updated'))
    await sql`update "importJobRow" set "code" = '', "before" = null where "entityId" = ${id}`.execute(db)
    const gone = await rowsOf(db, sql<Touched>`delete from "user" where "id" = ${id} returning "id", "version"`)
    await addEvents(db, [...changes, ...toldOf('user', 'deleted', gone)], now)
    erased.push({ id, email, names: [firstName ?? '', lastName ?? ''], shownAs: displayName(person), about: idsOf('deleted') })
  }
  const emails = erased.map(({ email }) => email)
  const inside = await eraseReferences(db, definitions, { ids: erased.map(({ id }) => id), names: due.map(displayName) })
  await addEvents(db, inside, now)
  touched.push(...inside.map((change) => change.id))
  await eraseFromAudit(db, erased, touched)
  // Without the address, which was just erased.
  for (const { id } of erased) await addServerAudit(db, { at: now, action: 'purge', entityType: 'user', entityId: id })
  await removeMailsTo(config.dataDir, emails)
  return erased.length
}

/** Marks invitations with an expired link; they can still be resent. */
export async function expireInvitations(db: Queryable, now: Date): Promise<void> {
  const expired = await rowsOf(
    db,
    sql<Touched>`update "invitation" set "state" = 'EXPIRED', "version" = "version" + 1, "updatedAt" = ${now}
      where "state" = 'PENDING' and "expiresAt" <= ${now} returning "id", "version"`,
  )
  await addEvents(db, toldOf('invitation', 'updated', expired), now)
}
