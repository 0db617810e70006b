import type { FastifyRequest } from 'fastify'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { Caller } from '#server/base/caller.ts'
import { forgetAttempts } from '#server/base/rate-limits.ts'
import type { Queryable } from '#server/db/query.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { markFresh } from '#server/engine/records/fresh-confirmation.ts'

/** `ids`: attempts counted so far; `by`: the method, for the audit entry. */
type Confirmation = { caller: Caller; ids: readonly number[]; now: Date; by?: ServerReason; refusal?: ServerReason | undefined }

/** Common end of every step-up method: an audit entry, and on success the session counts as confirmed. */
export async function recordConfirmation(
  db: Queryable,
  request: FastifyRequest,
  { caller, ids, now, by, refusal }: Confirmation,
): Promise<void> {
  const { userId, sessionId, role } = caller
  const reason = refusal ?? by
  await addAudit(db, {
    at: now,
    actorId: userId,
    role,
    action: 'confirm',
    entityType: 'session',
    entityId: sessionId,
    result: refusal ? 'FAILED' : 'OK',
    ...(reason && { reason }),
    requestId: request.id,
    ip: request.ip,
  })
  if (refusal) return
  await forgetAttempts(db, ids)
  await markFresh(db, caller, now)
}
