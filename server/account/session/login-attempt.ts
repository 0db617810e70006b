import type { ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { type Limit, takeAttempt } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'

/**
 * Counts a sign-in attempt, in a transaction of its own, so that no refusal takes the count back. Throws 429 for the
 * one who tries too often; answers the attempts, which are forgotten once the proof was right.
 */
export async function takeLoginAttempt(
  { database, clock }: Pick<ServerContext, 'database' | 'clock'>,
  ...tried: readonly Limit[]
): Promise<number[]> {
  const { waitS, ids } = await inTransaction(database, (db) => takeAttempt(db, tried, clock()))
  if (waitS > 0) throw problem('too-many-logins', { retryAfterS: waitS })
  return ids
}
