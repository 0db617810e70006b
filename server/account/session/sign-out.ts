import type { Work } from '#server/engine/records/resource-rules.ts'
import { sessionEvents } from './session-events.ts'
import { endSessionsOf } from './session-store.ts'

/** Signs a user out everywhere; in this process with effect on the next request. */
export async function signOutEverywhere(
  { db, now, afterCommit }: Pick<Work, 'db' | 'now' | 'afterCommit'>,
  userId: string,
  reason: string,
): Promise<void> {
  await endSessionsOf(db, { userId, now, reason })
  afterCommit(() => void sessionEvents.emit('ended', { userId }))
}
