import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken, newToken } from '#server/account/session/token.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** The stored digest of a key. It has 256 random bits, so a plain digest is enough. */
export const hashOfKey = hashToken

/** The key of a board of the demo fleet. It follows from the seed, so it opens only while the demo is on. */
export const demoDeviceKey = (seed: number, uid: string): string =>
  createHmac('sha256', `demo board ${seed}`).update(uid.toUpperCase()).digest('base64url')

type KeyFacts = { controlPcbId: string; key: string; isDemo?: boolean; now: Date; by: string | null }

/** Gives a board a key; the one before it stops working. */
export async function setDeviceKey(db: Queryable, { controlPcbId, key, isDemo, now, by }: KeyFacts): Promise<void> {
  await rowsOf(
    db,
    sql`insert into "deviceKey" ("controlPcbId", "hash", "isDemo", "createdAt", "createdBy")
      values (${controlPcbId}, ${hashOfKey(key)}, ${isDemo ?? false}, ${now}, ${by})
      on conflict ("controlPcbId") do update set "hash" = excluded."hash", "isDemo" = excluded."isDemo",
        "createdAt" = excluded."createdAt", "createdBy" = excluded."createdBy"`,
  )
}

/** Issues a random key for a board and returns it; it cannot be read again. */
export async function makeDeviceKey(db: Queryable, facts: Omit<KeyFacts, 'key' | 'isDemo'>): Promise<string> {
  const key = newToken()
  await setDeviceKey(db, { ...facts, key })
  return key
}
