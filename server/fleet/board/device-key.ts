import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import { hashToken, newToken } from '#server/account/session/token.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

/** The stored digest of a key. It has 256 random bits, so a plain digest is enough. */
export const hashOfKey = hashToken

/** The key of a board of the demo fleet. It follows from the seed, so it opens only while the demo is on. */
export const demoDeviceKey = (seed: number, uid: string): string =>
  createHmac('sha256', `demo board ${seed}`).update(uid.toUpperCase()).digest('base64url')

/** A new key. It begins with a letter or digit: tables of keys are opened by programs that take a dash for a formula. */
function newDeviceKey(): string {
  for (;;) {
    const key = newToken()
    if (/^[A-Za-z0-9]/.test(key)) return key
  }
}

type KeyFacts = { controlPcbId: string; key: string; isDemo?: boolean; now: Date; by: string | null }

/** Gives a board a key; the one before it stops working. */
export async function setDeviceKey(db: Queryable, { controlPcbId, key, isDemo, now, by }: KeyFacts): Promise<void> {
  await rowsOf(
    db,
    sql`with "ended" as (insert into "formerKey" ("hash", "controlPcbId", "endedAt")
        select "one", "controlPcbId", ${now}::timestamptz from "deviceKey" cross join unnest(array["hash", "nextHash", "oldHash"]) as "u" ("one")
          where "controlPcbId" = ${controlPcbId} and "one" is not null and not "isDemo" on conflict ("hash") do nothing)
      insert into "deviceKey" ("controlPcbId", "hash", "isDemo", "createdAt", "createdBy")
      values (${controlPcbId}, ${hashOfKey(key)}, ${isDemo ?? false}, ${now}, ${by})
      on conflict ("controlPcbId") do update set "hash" = excluded."hash", "isDemo" = excluded."isDemo", "nextHash" = null,
        "nextAt" = null, "oldHash" = null, "oldUntil" = null, "lastUsedAt" = null, "createdAt" = excluded."createdAt", "createdBy" = excluded."createdBy"`,
  )
}

/** Issues a random key for a board and returns it; it cannot be read again. */
export async function makeDeviceKey(db: Queryable, facts: Omit<KeyFacts, 'key' | 'isDemo'>): Promise<string> {
  const key = newDeviceKey()
  await setDeviceKey(db, { ...facts, key })
  return key
}

/** So long the key before works on after the next one was used. */
const overlapMs = dayMs

/**
 * Issues the next key of the board whose present key this is, and returns it; undefined when the key is not the present one. The answer
 * may be lost, so a board may ask once more: then only the last one works.
 */
export async function makeNextKey(
  db: Queryable,
  { controlPcbId, hash, now }: { controlPcbId: string; hash: string; now: Date },
): Promise<string | undefined> {
  const key = newDeviceKey()
  const made = await rowOf(
    db,
    sql`update "deviceKey" set "nextHash" = ${hashOfKey(key)}, "nextAt" = ${now} where "controlPcbId" = ${controlPcbId} and "hash" = ${hash} returning 1`,
  )
  return made ? key : undefined
}

/** The next key is used for the first time: it is the present one from now on, and the one before it ends a day later. */
export async function beginNextKey(db: Queryable, { hash, now }: { hash: string; now: Date }): Promise<void> {
  const oldUntil = new Date(now.getTime() + overlapMs)
  await rowsOf(
    db,
    sql`with "ended" as (insert into "formerKey" ("hash", "controlPcbId", "endedAt")
        select "oldHash", "controlPcbId", ${now}::timestamptz from "deviceKey" where "nextHash" = ${hash} and "oldHash" is not null
        on conflict ("hash") do nothing)
      update "deviceKey" set "oldHash" = "hash", "oldUntil" = ${oldUntil}, "hash" = "nextHash", "nextHash" = null, "nextAt" = null, "createdAt" = ${now},
      "createdBy" = null where "nextHash" = ${hash}`,
  )
}

type Rotating = { controlPcbId: string; now: Date; by: string | null }

/**
 * Issues a key by a person that ends nothing: the present one works until the board uses the new one, and a day longer. A board without a
 * key of its own gets its first one. Of several that were not used yet only the last one works.
 */
export async function makeOverlappingKey(db: Queryable, { controlPcbId, now, by }: Rotating): Promise<string> {
  const key = newDeviceKey()
  const made = await rowOf(
    db,
    sql`with "ended" as (insert into "formerKey" ("hash", "controlPcbId", "endedAt")
        select "nextHash", "controlPcbId", ${now}::timestamptz from "deviceKey" where "controlPcbId" = ${controlPcbId} and "nextHash" is not null
        on conflict ("hash") do nothing)
      update "deviceKey" set "nextHash" = ${hashOfKey(key)}, "nextAt" = ${now} where "controlPcbId" = ${controlPcbId} and not "isDemo" returning 1`,
  )
  if (!made) await setDeviceKey(db, { controlPcbId, key, now, by })
  return key
}

/** Issues the first keys of new boards, by their ids. */
export async function makeFirstKeys(
  db: Queryable,
  ids: readonly string[],
  { now, by }: Omit<Rotating, 'controlPcbId'>,
): Promise<Map<string, string>> {
  const keys = new Map(ids.map((id) => [id, newDeviceKey()]))
  await rowsOf(
    db,
    sql`insert into "deviceKey" ("controlPcbId", "hash", "createdAt", "createdBy")
      select "id", "hash", ${now}::timestamptz, ${by}::text
      from unnest(${sql.val([...keys.keys()])}::text[], ${sql.val([...keys.values()].map(hashOfKey))}::text[]) as "u" ("id", "hash")`,
  )
  return keys
}
