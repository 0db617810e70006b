import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import { accountProblem } from '#server/account/problems.ts'
import { hashToken, newToken } from '#server/account/session/token.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'

/** Time limit for using the device. */
export const ceremonyMs = 5 * minuteMs

export type Purpose = 'sign-in' | 'second-step' | 'enrol' | 'add' | 'confirm'

/** `bound`: the session, the sign-in challenge or the tab's secret to which the ceremony is bound. */
export type Ceremony = { purpose: Purpose; bound: string }

/** Starts a ceremony; returns the WebAuthn challenge to sign. */
export async function beginCeremony(db: Queryable, { purpose, bound }: Ceremony, now: Date): Promise<string> {
  const challenge = newToken()
  await sql`insert into "passkeyCeremony" ("hash", "purpose", "boundHash", "expiresAt")
    values (${hashToken(challenge)}, ${purpose}, ${hashToken(bound)}, ${new Date(now.getTime() + ceremonyMs)})`.execute(db)
  return challenge
}

/** The challenge that a device claims to have signed; '' for a malformed response, which matches none. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return isObject(said) && typeof said.challenge === 'string' ? said.challenge : ''
  } catch {
    return ''
  }
}

/** Uses up a ceremony. Unknown, used, expired ones, and those of another purpose or owner, all get the same refusal. */
export async function takeCeremony(
  db: Queryable,
  { purpose, bound }: Ceremony,
  { challenge, now }: { challenge: string; now: Date },
): Promise<void> {
  const taken = await rowOf(
    db,
    sql`delete from "passkeyCeremony" where "hash" = ${hashToken(challenge)} and "purpose" = ${purpose}
      and "boundHash" = ${hashToken(bound)} and "expiresAt" > ${now} returning 1`,
  )
  if (!taken) throw accountProblem('passkey.dead')
}

export const forgetCeremony = (db: Queryable, challenge: string): Promise<unknown> =>
  sql`delete from "passkeyCeremony" where "hash" = ${hashToken(challenge)}`.execute(db)

export const forgetCeremonies = (db: Queryable, now: Date): Promise<unknown> =>
  sql`delete from "passkeyCeremony" where "expiresAt" < ${now}`.execute(db)
