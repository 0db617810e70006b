import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import { addressOf } from '#server/base/rate-limits.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

const knownForMs = 30 * dayMs

/**
 * True for an address from which the user has recently passed a second factor. Codes from there are counted per address only,
 * so that an attacker with the password cannot use up the owner's attempts. Only a verified factor makes an address known.
 */
export async function isKnownAddress(
  db: Queryable,
  { userId, ip, now }: { userId: string; ip: string; now: Date },
): Promise<boolean> {
  const since = new Date(now.getTime() - knownForMs)
  const found = await rowsOf(
    db,
    sql<{ ip: string }>`select distinct "ip" from "auditLog" where "actorId" = ${userId} and "at" > ${since}
      and "action" = 'login' and "result" = 'OK' and "reason" in ('totp', 'recovery', 'passkey') and "ip" is not null`,
  )
  return found.some((row) => addressOf(row.ip) === addressOf(ip))
}
