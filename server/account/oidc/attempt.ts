import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { hashToken, newToken } from '#server/account/session/token.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { oidcProblem } from './oidc-problems.ts'

/** Time limit for the sign-in at the provider. */
const lifeMs = 10 * minuteMs

/** `sessionId`: the session whose owner confirms; null for a sign-in. */
type Stored = { nonce: string; verifier: string; to: string; startedAt: string }
export type Attempt = Stored & { state: string }
export type BegunAttempt = Attempt & { browser: string }

/** The prefix tells the console on return which of the two was started. */
const stateOf = (sessionId: string | null): string => `${sessionId ? 'confirm' : 'enter'}-${newToken()}`

/**
 * Starts an authorisation attempt. `browser` is a secret kept by the page and presented on return, so that the redirect URL
 * alone is useless.
 */
export async function beginAttempt(
  db: Queryable,
  { sessionId, to, now }: { sessionId: string | null; to: string; now: Date },
): Promise<BegunAttempt> {
  const begun = { state: stateOf(sessionId), browser: newToken(), nonce: newToken(), verifier: newToken(), to }
  await sql`insert into "oidcAttempt" ("hash", "browserHash", "sessionId", "nonce", "verifier", "to", "startedAt", "expiresAt")
    values (${hashToken(begun.state)}, ${hashToken(begun.browser)}, ${sessionId}, ${begun.nonce}, ${begun.verifier}, ${to}, ${now},
      ${new Date(now.getTime() + lifeMs)})`.execute(db)
  return { ...begun, startedAt: now.toISOString() }
}

/** Uses up an attempt. Unknown, used, expired ones, and those of another browser or session, all give the same 410. */
export async function takeBegun(
  db: Queryable,
  asked: { state: string; browser: string; sessionId: string | null; now: Date },
): Promise<Attempt> {
  const { state, browser, sessionId, now } = asked
  const found = await rowOf(
    db,
    sql<Stored>`delete from "oidcAttempt" where "hash" = ${hashToken(state)} and "browserHash" = ${hashToken(browser)}
      and "sessionId" is not distinct from ${sessionId}::text and "expiresAt" > ${now} returning "nonce", "verifier", "to", "startedAt"`,
  )
  if (!found) throw oidcProblem('oidc.dead')
  return { ...found, state }
}

export const forgetBegun = (db: Queryable, now: Date): Promise<unknown> =>
  sql`delete from "oidcAttempt" where "expiresAt" < ${now}`.execute(db)
