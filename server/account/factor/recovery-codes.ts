import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Secret } from 'otpauth'
import { hashToken } from '#server/account/session/token.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'

export const recoveryCount = 10
/** 80 random bits: a plain hash cannot be brute-forced. */
const codeBytes = 10

const newCode = (): string =>
  new Secret({ buffer: Uint8Array.from(randomBytes(codeBytes)).buffer }).base32.toLowerCase().replace(/(.{4})(?=.)/g, '$1-')

/** Ignores case, spaces and dashes. */
const digestOf = (code: string): string => hashToken(code.toLowerCase().replace(/[^a-z2-7]/g, ''))

/** Replaces a user's ten codes; only their hashes are stored. */
export async function renewRecoveryCodes(db: Queryable, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, newCode)
  await sql`delete from "recoveryCode" where "userId" = ${userId}`.execute(db)
  for (const code of codes)
    await sql`insert into "recoveryCode" ("userId", "hash") values (${userId}, ${digestOf(code)})`.execute(db)
  return codes
}

/** Uses up a code. False for an unknown or used one; of two concurrent calls one succeeds. */
export async function spendRecoveryCode(
  db: Queryable,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const used = await rowOf(
    db,
    sql`update "recoveryCode" set "usedAt" = ${now}
      where "userId" = ${userId} and "hash" = ${digestOf(code)} and "usedAt" is null returning 1`,
  )
  return used !== undefined
}
