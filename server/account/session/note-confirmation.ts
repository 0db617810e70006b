import type { FastifyRequest } from 'fastify'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { Caller } from '#server/base/caller.ts'
import { forgetAttempts } from '#server/base/rate-limits.ts'
import type { Queryable } from '#server/db/query.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { markFresh } from '#server/engine/records/fresh-confirmation.ts'

/** `ids`: the attempts that led here; `by`: the way, where the audit entry names it. */
type Confirmation = { caller: Caller; ids: readonly number[]; now: Date; by?: ServerReason; refusal?: ServerReason | undefined }

/** The end of every way to confirm: an audit entry, and without a refusal a session that counts as confirmed from now on. */
export async function noteConfirmation(
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
