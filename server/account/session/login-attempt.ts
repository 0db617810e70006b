import type { ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { type Limit, takeAttempt } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'

/**
 * Counts a sign-in attempt in its own transaction, so that a refusal does not roll it back. Throws 429 above the limit; returns
 * the attempts, which are deleted after a successful sign-in.
 */
export async function takeLoginAttempt(
  { database, clock }: Pick<ServerContext, 'database' | 'clock'>,
  ...tried: readonly Limit[]
): Promise<number[]> {
  const { waitS, ids } = await inTransaction(database, (db) => takeAttempt(db, tried, clock()))
  if (waitS > 0) throw problem('too-many-logins', { retryAfterS: waitS })
  return ids
}
