import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { accountProblem } from '#server/account/problems.ts'
import { hashToken, newToken } from '#server/account/session/token.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'

const lifeMs = 5 * minuteMs

/** `enrol`: the role requires a second factor and the user has none yet. */
export type ChallengeStep = 'code' | 'enrol'
/** `providerToken`: sealed, of a sign-in through the provider. */
export type Challenge = { userId: string; step: ChallengeStep; changedAt: string | null; providerToken: string | null }
export type OpenedChallenge = { challenge: string; expiresAt: string; step: ChallengeStep }

/**
 * Opens a challenge after a correct password. `changedAt` is the time of that password: a changed one ends the challenge. Null
 * after a sign-in through the provider.
 */
export async function openChallenge(
  db: Queryable,
  { userId, step, changedAt, providerToken, now }: Challenge & { now: Date },
): Promise<OpenedChallenge> {
  const challenge = newToken()
  const expiresAt = new Date(now.getTime() + lifeMs)
  await sql`insert into "challenge" ("hash", "userId", "step", "changedAt", "providerToken", "expiresAt")
    values (${hashToken(challenge)}, ${userId}, ${step}, ${changedAt}, ${providerToken}, ${expiresAt})`.execute(db)
  return { challenge, expiresAt: expiresAt.toISOString(), step }
}

/** Reads a challenge for this step. Unknown, used, expired and mismatched ones all give the same 410. */
export async function readChallenge(
  db: Queryable,
  { token, step, now }: { token: string; step: ChallengeStep; now: Date },
): Promise<Challenge> {
  const found = await rowOf(
    db,
    sql<Challenge>`select "userId", "step", "changedAt", "providerToken" from "challenge"
      where "hash" = ${hashToken(token)} and "step" = ${step} and "expiresAt" > ${now}`,
  )
  if (!found) throw accountProblem('challenge.dead')
  return found
}

/** Ends a challenge; of two concurrent calls one succeeds. */
export async function closeChallenge(db: Queryable, token: string): Promise<boolean> {
  return (await rowOf(db, sql`delete from "challenge" where "hash" = ${hashToken(token)} returning 1`)) !== undefined
}

export const forgetChallenges = (db: Queryable, now: Date): Promise<unknown> =>
  sql`delete from "challenge" where "expiresAt" < ${now}`.execute(db)
