import { sql } from 'kysely'
import { revokeInvitations } from '#server/account/invitation.ts'
import { voidLinks } from '#server/account/link.ts'
import { nameOf, personById } from '#server/account/user-store.ts'
import type { Caller } from '#server/base/caller.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { sessionEnded } from './session-endings.ts'
import { sessionEvents } from './session-events.ts'
import { endSessionsOf } from './session-store.ts'

/** A change of the address, begun by a person who knew the password, would outlive the end of the sessions. */
async function endPendingAccess(work: Work, userId: string): Promise<void> {
  const { db, now } = work
  const ended = await revokeInvitations({ userId, kind: 'EMAIL_CHANGE' }, work)
  await voidLinks(db, { userId, kinds: ['RESTORE'], now })
  const person = ended.length > 0 ? await personById(db, userId) : undefined
  if (!person) return
  const mail = { to: person.email, language: person.language ?? work.language, template: 'change-email-ended' } as const
  for (const { email } of ended) work.mail({ ...mail, values: { name: nameOf(person), email } })
}

/**
 * Signs a user out everywhere; in this process with effect on the next request. Ends also what a session may have begun: a change
 * of the e-mail address, and links that replace the password.
 */
export async function signOutEverywhere(work: Work, userId: string, reason: string): Promise<void> {
  const { db, now, afterCommit } = work
  await endSessionsOf(db, { userId, now, reason })
  await endPendingAccess(work, userId)
  afterCommit(() => void sessionEvents.emit('ended', { userId }))
}

/**
 * Locks an account until the end of the transaction, before anything else of it: what ends its sessions either sees what a call
 * writes, or is seen by it.
 */
export const holdAccount = (db: Queryable, userId: string): Promise<unknown> =>
  sql`select 1 from "user" where "id" = ${userId} for no key update`.execute(db)

/** Locks the caller's account, and throws when the session has ended since the call began. */
export async function holdOwnAccount({ db, caller }: { db: Queryable; caller: Caller }): Promise<void> {
  await holdAccount(db, caller.userId)
  const ended = await rowOf(
    db,
    sql<{
      endReason: string | null
    }>`select "endReason" from "session" where "id" = ${caller.sessionId} and "endedAt" is not null`,
  )
  if (ended) throw sessionEnded(ended.endReason ?? undefined)
}
