import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { minuteMs } from '#schema/format/durations.ts'
import type { Role } from '#schema/roles.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { countAttempt, limits } from '#server/base/rate-limits.ts'
import { rowOf, rowsOf } from '#server/db/query.ts'
import type { ActionCall, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { invitationClosed } from './invitation-events.ts'
import { type InvitationKind, type InvitationRow, sendInvitation } from './invitation-mail.ts'
import { voidLinks } from './link.ts'
import { accountProblem } from './problems.ts'
import { guardEntry, guardRank } from './user-guards.ts'
import { changePerson, type Person, personByEmail, personById } from './user-store.ts'

export type Invite = {
  kind: 'ACCOUNT' | 'GUEST' | 'SERVICE_ENGINEER'
  role: Role
  essId?: string
} & ({ userId: string } | { email: string })

const isOpen = (person: Person) => !person.lockedAt && !person.deletedAt

/** Creates an account without a password, which the invitation's link completes. */
async function addPerson(work: Work, email: string, role: Role): Promise<Person> {
  await guardEntry(work, role)
  const { db, now, caller } = work
  const id = uuidv7()
  // A concurrent insert of the same address violates the unique index.
  await sql`insert into "user" ("id", "email", "role", "createdAt", "createdBy", "updatedAt", "updatedBy")
    values (${id}, ${email}, ${role}, ${now}, ${caller.userId}, ${now}, ${caller.userId})`.execute(db)
  await work.audit({ action: 'create', entityType: 'user', entityId: id, code: email, after: { email, role } })
  work.changed({ resource: 'user', id, version: 1, type: 'created' })
  const person = await personById(db, id)
  if (!person) throw problem('not-found')
  return person
}

async function invitee(asked: Invite, work: Work): Promise<Person> {
  const byId = 'userId' in asked
  const path = byId ? 'userId' : 'email'
  const known = byId ? await personById(work.db, asked.userId) : await personByEmail(work.db, asked.email)
  if (!known && !byId) return addPerson(work, asked.email, asked.role)
  if (!known || !isOpen(known)) throw invalid([{ path, code: 'no-such-record' }])
  if (known.role !== asked.role && !byId) throw problem('duplicate', { faults: [{ path, code: 'rule' }] })
  if (known.role !== asked.role) throw invalid([{ path, code: 'no-such-record' }])
  return known
}

/**
 * Invites a user by id or e-mail and mails the link after the commit; an unknown e-mail gets an account without a password.
 * Throws 400 for a user who cannot be invited, 409 for an e-mail with another role, 429 after a hundred guests and engineers
 * per hour.
 */
export async function invite(asked: Invite, work: Work): Promise<{ invitation: Row; userId: string }> {
  guardRank(work, asked.role)
  if (asked.kind !== 'ACCOUNT') await countAttempt(work, [limits.invitingHour(work.caller.userId)])
  const person = await invitee(asked, work)
  const { kind, essId } = asked
  const invitation = await addInvitation(work, { kind, person, email: person.email, ...(essId ? { essId } : {}) })
  return { invitation, userId: person.id }
}

type NewInvitation = {
  kind: InvitationKind
  person: Person
  email: string
  essId?: string
  /** The address belongs to another account, whose owner is notified. */
  isTaken?: boolean
}

/** Creates an invitation and mails it. */
export async function addInvitation(
  work: Work,
  { kind, person, email, essId, isTaken }: NewInvitation,
): Promise<InvitationRow> {
  const { db, now, caller } = work
  const id = uuidv7()
  await sql`insert into "invitation" ("id", "kind", "email", "userId", "essId", "role", "state", "delivery", "sentCount", "invitedBy",
      "createdAt", "createdBy", "updatedAt", "updatedBy")
    values (${id}, ${kind}, ${email}, ${person.id}, ${essId ?? null}, ${person.role}, 'PENDING', 'QUEUED', 0,
      ${caller.userId}, ${now}, ${caller.userId}, ${now}, ${caller.userId})`.execute(db)
  const invitation = await sendInvitation(work, { invitationId: id, person, isTaken })
  await work.audit({
    action: 'invite',
    entityType: 'invitation',
    entityId: id,
    code: email,
    after: { kind, essId: essId ?? null },
  })
  work.changed({ resource: 'invitation', id, version: invitation.version, type: 'created' })
  return invitation
}

const isOver = ({ state }: Pick<InvitationRow, 'state'>) => state !== 'PENDING' && state !== 'EXPIRED'

async function openInvitation({ id, work }: Pick<ActionCall, 'id' | 'work'>): Promise<InvitationRow> {
  const row = await rowOf(work.db, sql<InvitationRow>`select * from "invitation" where "id" = ${id} for update`)
  if (!row) throw problem('not-found')
  if (isOver(row)) throw accountProblem(row.state === 'ACCEPTED' ? 'invitation.accepted' : 'invitation.revoked')
  return row
}

/** Resends an invitation with a new link; the old one becomes invalid. At most once a minute and five times a day. */
async function resend({ id, work }: ActionCall): Promise<void> {
  const row = await openInvitation({ id, work })
  const sinceMs = row.sentAt ? work.now.getTime() - Date.parse(row.sentAt) : Number.POSITIVE_INFINITY
  if (sinceMs < minuteMs) throw problem('too-many', { retryAfterS: Math.ceil((minuteMs - sinceMs) / 1000) })
  await countAttempt(work, [limits.resendSoon(id), limits.resendDay(id)])
  const person = await personById(work.db, row.userId ?? '')
  if (!person || !isOpen(person)) throw accountProblem('invitation.user-barred')
  await sendInvitation(work, { invitationId: id, person })
}

async function closeAsRevoked(row: InvitationRow, work: Work): Promise<void> {
  const { db, now, caller } = work
  await voidLinks(db, { invitationId: row.id, now })
  await sql`update "invitation" set "state" = 'REVOKED', "completedAt" = ${now}, "version" = "version" + 1, "updatedAt" = ${now},
    "updatedBy" = ${caller.userId} where "id" = ${row.id}`.execute(db)
  if (row.kind === 'EMAIL_CHANGE' && row.userId)
    await changePerson(work, { id: row.userId, by: caller.userId, set: { pendingEmail: null } })
  await invitationClosed(row, 'revoked', work)
}

type Revocation = ({ userId: string; essId?: string } | { essId: string; userId?: undefined }) & { kind?: InvitationKind }

/** Revokes open invitations: all of a user, those of a user to one ESS, or all to one ESS. Returns them. */
export async function revokeInvitations({ userId, essId, kind }: Revocation, work: Work): Promise<InvitationRow[]> {
  const where = [
    sql`"state" in ('PENDING', 'EXPIRED')`,
    ...(userId ? [sql`"userId" = ${userId}`] : []),
    ...(essId ? [sql`"essId" = ${essId}`] : []),
    ...(kind ? [sql`"kind" = ${kind}`] : []),
  ]
  const open = await rowsOf(
    work.db,
    sql<InvitationRow>`select * from "invitation" where ${sql.join(where, sql` and `)} for update`,
  )
  for (const row of open) {
    await closeAsRevoked(row, work)
    work.changed({ resource: 'invitation', id: row.id, version: row.version + 1, type: 'updated' })
  }
  return open
}

/** Detaches invitations from a deleted ESS: open ones are revoked, stored ones lose the reference. */
export async function leaveSystem(essId: string, work: Work): Promise<void> {
  await revokeInvitations({ essId }, work)
  const left = await rowsOf(
    work.db,
    sql<{
      id: string
      version: number
    }>`update "invitation" set "essId" = null, "version" = "version" + 1, "updatedAt" = ${work.now}
      where "essId" = ${essId} returning "id", "version"`,
  )
  for (const row of left) work.changed({ resource: 'invitation', ...row, type: 'updated' })
}

/** Accepts an open invitation whose link was used. */
export async function acceptInvitation(id: string, work: Work): Promise<void> {
  const { db, now, caller } = work
  const row = await rowOf(
    db,
    sql<InvitationRow>`update "invitation" set "state" = 'ACCEPTED', "completedAt" = ${now}, "version" = "version" + 1,
      "updatedAt" = ${now}, "updatedBy" = ${caller.userId} where "id" = ${id} and "state" in ('PENDING', 'EXPIRED') returning *`,
  )
  if (!row) throw problem('link.dead')
  await voidLinks(db, { invitationId: id, now })
  await work.audit({ action: 'accept', entityType: 'invitation', entityId: id, code: row.email })
  work.changed({ resource: 'invitation', id, version: row.version, type: 'updated' })
  await invitationClosed(row, 'accepted', work)
}

export const invitationRules: ResourceRules = {
  // The role of today decides who sees the invitation: the invited client of last year may be a moderator now.
  derived: { personRole: sql`(select u."role" from "user" u where u."id" = "t"."userId")` },
  actions: { resend },
  indexes: [`create index if not exists "invitation_userId_ix" on "invitation" ("userId", "createdAt")`],
  async beforeDelete(current, work) {
    await closeAsRevoked(await openInvitation({ id: String(current.id), work }), work)
    return 'done'
  },
}
