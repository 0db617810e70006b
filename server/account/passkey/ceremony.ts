import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import { accountProblem } from '#server/account/problems.ts'
import { hashToken, newToken } from '#server/account/session/token.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'

/** Time to find the device and to touch it. */
export const ceremonyMs = 5 * minuteMs

export type Purpose = 'sign-in' | 'second-step' | 'enrol' | 'add' | 'confirm'

/** `bound`: the session, the challenge of the sign-in, or the proof of the tab that asks. No other goes on with it. */
export type Ceremony = { purpose: Purpose; bound: string }

/** Begins a ceremony; answers what the device has to sign. */
export async function beginCeremony(db: Queryable, { purpose, bound }: Ceremony, now: Date): Promise<string> {
  const challenge = newToken()
  await sql`insert into "passkeyCeremony" ("hash", "purpose", "boundHash", "expiresAt")
    values (${hashToken(challenge)}, ${purpose}, ${hashToken(bound)}, ${new Date(now.getTime() + ceremonyMs)})`.execute(db)
  return challenge
}

/** The challenge that a device says to have signed; '' for an answer of no such form, which no ceremony has. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return isObject(said) && typeof said.challenge === 'string' ? said.challenge : ''
  } catch {
    return ''
  }
}

/** Uses a ceremony up; unknown, used and late ones and those of another purpose or owner are refused, all alike. */
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
