import { sql } from 'kysely'
import { noticeDefaults } from '#resources/fleet/notice-defaults.ts'
import { isNotified, isRole } from '#schema/roles.ts'
import { problem } from '#server/base/problems.ts'
import { countAttempt, limits } from '#server/base/rate-limits.ts'
import type { ActionCall, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { canSignIn } from './can-sign-in.ts'
import { contactMasks, personName } from './client-contacts.ts'
import { isFactor } from './factor/factor-store.ts'
import { resetFactor } from './factor/reset-factor.ts'
import { invite, revokeInvitations } from './invitation.ts'
import { openAccountInvitation } from './invitation-account.ts'
import { createLink, linkLifeMs, voidLinks } from './link.ts'
import { invitationOfUser } from './open-invitation.ts'
import { accountProblem } from './problems.ts'
import { notifyAdmins } from './restore-mail.ts'
import { type RoleChange, roleChanged } from './role/change-role.ts'
import { sessionEvents } from './session/session-events.ts'
import { signOutEverywhere } from './session/sign-out.ts'
import { governs, guardEntry, guardLastAdmin, guardRank, guardRemoval, guardSelf } from './user-guards.ts'
import { userRoutes } from './user-routes.ts'
import { momentText, nameOf, personById, updatePerson } from './user-store.ts'

/** Fields that users may edit in their own record. */
const profileFields = ['firstName', 'lastName', 'phone', 'language', 'timezone', 'notificationPrefs'] as const

const derived = {
  status: sql`case when "t"."deletedAt" is not null then 'DELETED' when "t"."lockedAt" is not null then 'LOCKED'
    when not ${canSignIn(sql`"t"."id"`)} then 'INVITED' else 'ACTIVE' end`,
  name: personName(),
  essCount: sql`(select count(*) from "ess" e where e."ownerId" = "t"."id")`,
  invitationId: invitationOfUser,
  secondFactor: isFactor(sql`"t"."id"`),
}

async function beforeUpdate(change: Row, current: Row, work: Work): Promise<Row> {
  const own = work.caller.userId === current.id
  if (!own) guardRank(work, current.role)
  if (!('role' in change) || change.role === current.role) return change
  if (work.caller.role !== 'admin')
    throw problem('field-forbidden', { faults: [{ path: 'role', code: 'read-only', params: { key: 'role' } }] })
  guardSelf(work, current.id)
  await guardLastAdmin(work, current)
  if (current.role === 'client' && Number(current.essCount) > 0) {
    throw accountProblem('user.owns-systems')
  }
  return change
}

/** The invitation to a system ends with its role: a person who has no account yet is invited to it by the new one. */
async function changeRole({ userId, role }: RoleChange, { invitationId }: Row, work: Work): Promise<void> {
  await roleChanged(work, { userId, role })
  if (invitationId && !(await openAccountInvitation(work.db, userId))) await invite({ kind: 'ACCOUNT', userId, role }, work)
}

async function afterUpdate(record: Row, before: Row, work: Work): Promise<void> {
  const userId = String(record.id)
  if (record.role !== before.role && isRole(record.role)) return changeRole({ userId, role: record.role }, before, work)
  work.afterCommit(() => void sessionEvents.emit('changed', { userId }))
}

async function lock({ id, values, record, work }: ActionCall): Promise<void> {
  if (!record) throw problem('not-found')
  await guardRemoval(work, record)
  const { now, caller } = work
  const reason = typeof values.reason === 'string' ? values.reason : null
  await updatePerson(work, { id, by: caller.userId, set: { lockedAt: now, lockedBy: caller.userId, lockedReason: reason } })
  await signOutEverywhere(work, id, 'locked')
}

async function unlock({ id, record, work }: ActionCall): Promise<void> {
  if (!record) throw problem('not-found')
  guardRank(work, record.role)
  guardSelf(work, id)
  await updatePerson(work, { id, by: work.caller.userId, set: { lockedAt: null, lockedBy: null, lockedReason: null } })
}

/** Restores a deleted account. Clients may do so themselves by the link in their mail. */
async function restore({ id, work }: ActionCall): Promise<void> {
  const person = await personById(work.db, id)
  if (!person) throw problem('not-found')
  await guardEntry(work, person.role)
  await updatePerson(work, { id, by: work.caller.userId, set: { deletedAt: null, purgeAt: null } })
  await notifyAdmins(work, person)
  // The deletion revoked the invitation. A locked person is invited after the unlocking.
  if (!person.isComplete && !person.lockedAt) await invite({ kind: 'ACCOUNT', userId: id, role: person.role }, work)
}

/** Invites a person whose account is not complete and has no open invitation. Paced like the resending of one. */
async function inviteAgain({ id, record, work }: ActionCall): Promise<void> {
  if (!record || !isRole(record.role)) throw problem('not-found')
  await countAttempt(work, [limits.resendSoon(id), limits.resendDay(id)])
  await invite({ kind: 'ACCOUNT', userId: id, role: record.role }, work)
}

/**
 * Soft delete: the record stays until `purgeAt`. A client gets a link that restores the account until then; staff are restored
 * by an admin only.
 */
async function beforeDelete(current: Row, work: Work): Promise<'done'> {
  const { db, now, caller } = work
  const userId = String(current.id)
  await guardRemoval(work, current)
  const person = await personById(db, userId)
  if (!person || person.deletedAt) {
    throw accountProblem('user.already-deleted')
  }
  const purgeAt = new Date(now.getTime() + linkLifeMs.CANCEL_DELETE)
  await updatePerson(work, { id: userId, by: caller.userId, set: { deletedAt: now, purgeAt, pendingEmail: null } })
  await revokeInvitations({ userId }, work)
  await signOutEverywhere(work, userId, 'deleted')
  await voidLinks(db, { userId, now })
  if (!person.isComplete) return 'done'
  const mail = { to: person.email, language: person.language ?? work.language }
  if (person.role !== 'client') {
    work.mail({ ...mail, template: 'deleted-staff', values: { name: nameOf(person) } })
    return 'done'
  }
  const token = await createLink(db, { kind: 'CANCEL_DELETE', userId, now, expiresAt: purgeAt })
  work.mail({
    ...mail,
    template: 'deleted',
    values: { name: nameOf(person), until: momentText(purgeAt) },
    token,
  })
  return 'done'
}

/** Server rules of users; clients are users and follow the same rules. */
export const userRules: ResourceRules = {
  derived,
  forCaller: governs,
  masks: contactMasks,
  own: { when: { field: 'id', op: 'eq', value: '$user.id' }, edit: profileFields },
  async beforeCreate(values, work) {
    guardRank(work, values.role)
    return isNotified(values.role) ? { notificationPrefs: noticeDefaults(values.role), ...values } : values
  },
  async afterCreate({ id, role }, work) {
    if (typeof id === 'string' && isRole(role)) await invite({ kind: 'ACCOUNT', userId: id, role }, work)
  },
  beforeUpdate,
  afterUpdate,
  beforeDelete,
  actions: { lock, unlock, restore, invite: inviteAgain, 'reset-factor': resetFactor },
  routes: userRoutes,
}
