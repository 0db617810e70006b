import { dayMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { auditBatch, removeOldAudit } from '#server/engine/audit/audit-erasure.ts'

/** Removes entries of the audit log that are older than `AUDIT_KEPT_DAYS`; without it none. */
export async function pruneAudit(
  { database, config }: Pick<ServerContext, 'database' | 'config'>,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const { auditKeptDays } = config
  if (auditKeptDays === undefined) return
  const before = new Date(now.getTime() - auditKeptDays * dayMs)
  for (let gone = auditBatch; gone === auditBatch && !signal?.aborted; )
    gone = await inTransaction(database, (db) => removeOldAudit(db, before))
}
