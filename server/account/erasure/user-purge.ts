import { sql } from 'kysely'
import { baseOf } from '#schema/definition.ts'
import type { StoredColumn } from '#server/account/person-references.ts'
import { removeRequests } from '#server/account/restore-password.ts'
import { displayName } from '#server/base/caller.ts'
import type { ServerContext } from '#server/base/context.ts'
import { erasePersonAttempts } from '#server/base/rate-limits.ts'
import { addEvents, type Change, mostEvents } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import { eraseFromAudit, formerNames } from '#server/engine/audit/audit-erasure.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { removeMailsTo } from '#server/notify/expired-mails.ts'
import { eraseReferences, type Places, placesOfPeople } from './erase-references.ts'

type Due = { id: string; email: string; firstName: string | null; lastName: string | null }
/** In one run of each minute. */
const mostAtOnce = 10

type Touched = { id: string; version: number }

const changesOf = (resource: string, type: Change['type'], rows: readonly Touched[]): Change[] =>
  rows.map(({ id, version }) => ({ resource, id, version: type === 'deleted' ? version + 1 : version, type }))

/** Deletes what is about a user only, clears other references, and says what has changed. */
async function detach(db: Queryable, id: string, { resource, column }: StoredColumn): Promise<Change[]> {
  const table = sql.table(tableOf(resource))
  const { name } = resource
  if (column === 'userId') {
    const statement = sql<Touched>`delete from ${table} where "userId" = ${id} returning "id", "version"`
    return changesOf(name, 'deleted', await rowsOf(db, statement))
  }
  const statement = sql<Touched>`update ${table} set ${sql.id(column)} = null, "version" = "version" + 1
    where ${sql.id(column)} = ${id} returning "id", "version"`
  return changesOf(name, 'updated', await rowsOf(db, statement))
}

/** Deletes mails to a person, waiting and given up. */
async function eraseMails(db: Queryable, { id, email }: Due): Promise<Change[]> {
  const gone = await rowsOf(
    db,
    sql<Touched>`delete from "undelivered_message" where "userId" = ${id} or "recipient" = ${email} returning "id", "version"`,
  )
  const ids = gone.map((row) => row.id)
  await sql`delete from "mailJob" where "id" = any(${sql.val(ids)}::text[]) or "mail"->>'to' = ${email}`.execute(db)
  return changesOf('undelivered-message', 'deleted', gone)
}

/** Every name that others have seen of a user, and its parts: today's and former ones. */
async function namesOf(db: Queryable, person: Due): Promise<{ names: string[]; shownAs: string[] }> {
  const all = [person, ...(await formerNames(db, person.id))]
  const partsOf = (part: 'firstName' | 'lastName') => [...new Set(all.map((one) => one[part] ?? ''))]
  const [firstNames, lastNames] = [partsOf('firstName'), partsOf('lastName')]
  // A change of the log has one part where the other stayed: any two may have stood together.
  const pairs = firstNames.flatMap((firstName) => lastNames.map((lastName) => ({ email: person.email, firstName, lastName })))
  // Texts of earlier releases have the whole address of a person without a name.
  return { names: [...firstNames, ...lastNames], shownAs: [...pairs.map(displayName), person.email] }
}

type Purge = Pick<ServerContext, 'definitions' | 'config'>

/** Erases one user; returns what has changed. */
async function erase(
  db: Queryable,
  person: Due,
  { definitions, config, places }: Purge & { places: Places },
): Promise<Change[]> {
  const { id, email } = person
  const { names, shownAs } = await namesOf(db, person)
  const changes = await eraseMails(db, person)
  await removeRequests(db, email)
  await erasePersonAttempts(db, person)
  for (const reference of places.references) changes.push(...(await detach(db, id, reference)))
  await sql`update "importJobRow" set "code" = '', "before" = null where "entityId" = ${id}`.execute(db)
  const gone = await rowsOf(db, sql<Touched>`delete from "user" where "id" = ${id} returning "id", "version"`)
  changes.push(...(await eraseReferences(db, places, { definitions, gone: { id, names: shownAs } })))
  const idsOf = (type: Change['type']) => changes.flatMap((change) => (change.type === type ? [change.id] : []))
  await eraseFromAudit(db, { id, email, names, shownAs, about: idsOf('deleted') }, idsOf('updated'))
  await removeMailsTo(config.dataDir, [email])
  const views = [...definitions.values()].filter((one) => baseOf(one) === 'user')
  return [...changes, ...views.flatMap(({ name }) => changesOf(name, 'deleted', gone))]
}

/**
 * Erases users whose restore period has passed: their relations and invitations are deleted, other references to them (the
 * owner of an ESS, the author of a comment) are cleared, and their unsent mails, requests for a new password and counted attempts
 * are removed. The audit log keeps its entries without personal data. A few at a time, since each scans whole tables under the
 * locks of its rows.
 */
export async function purgeUsers(db: Queryable, context: Purge, now: Date): Promise<number> {
  const due = await rowsOf(
    db,
    sql<Due>`select "id", "email", "firstName", "lastName" from "user"
      where "deletedAt" is not null and "purgeAt" <= ${now} order by "purgeAt" limit ${mostAtOnce} for update skip locked`,
  )
  if (due.length === 0) return 0
  await sql`set local statement_timeout = 0`.execute(db)
  const places = await placesOfPeople(db, context.definitions)
  for (const person of due) {
    const changes = await erase(db, person, { ...context, places })
    const counts = new Map<string, number>()
    const isAnnounced = ({ resource }: Change) => {
      counts.set(resource, (counts.get(resource) ?? 0) + 1)
      return (counts.get(resource) ?? 0) <= mostEvents
    }
    await addEvents(db, changes.filter(isAnnounced), now)
    // Without the address, which was just erased.
    await addServerAudit(db, { at: now, action: 'purge', entityType: 'user', entityId: person.id })
  }
  return due.length
}

/** Marks invitations with an expired link; they can still be resent. */
export async function expireInvitations(db: Queryable, now: Date): Promise<void> {
  const expired = await rowsOf(
    db,
    sql<Touched>`update "invitation" set "state" = 'EXPIRED', "version" = "version" + 1, "updatedAt" = ${now}
      where "state" = 'PENDING' and "expiresAt" <= ${now} returning "id", "version"`,
  )
  await addEvents(db, changesOf('invitation', 'updated', expired), now)
}
