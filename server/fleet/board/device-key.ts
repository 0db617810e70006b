import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import { hashToken, newToken } from '#server/account/session/token.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

/** The stored hash of a key. It has 256 random bits, so a plain hash is sufficient. */
export const hashOfKey = hashToken

/** Key of a demo board, derived from the seed; valid only while the demo is on. */
export const demoDeviceKey = (seed: number, uid: string): string =>
  createHmac('sha256', `demo board ${seed}`).update(uid.toUpperCase()).digest('base64url')

/** A new key. It starts with a letter or digit: spreadsheets take a leading dash for a formula. */
function newDeviceKey(): string {
  for (;;) {
    const key = newToken()
    if (/^[A-Za-z0-9]/.test(key)) return key
  }
}

/** A board as its keys are handed out. */
export type NamedBoard = { id: string; code: string; uid: string; version: number }

/**
 * Boards in service, ordered by code, each for one call at a time. They are locked in the order of their ids, as everywhere: two
 * orders can deadlock.
 */
export const lockUsableBoards = (db: Queryable, ids: readonly string[]): Promise<NamedBoard[]> =>
  rowsOf(
    db,
    sql<NamedBoard>`with "locked" as (select "id", "code", "uid", "version" from "control_pcb"
        where "id" = any(${sql.val(ids)}::text[]) and "lifecycle" <> 'RETIRED' order by "id" for update)
      select * from "locked" order by "code"`,
  )

/** Those of the boards in service that have no key. */
export async function idsWithoutKey(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await rowsOf(
    db,
    sql<{
      id: string
    }>`select "b"."id" from "control_pcb" "b" where "b"."id" = any(${sql.val(ids)}::text[]) and "b"."lifecycle" <> 'RETIRED'
      and not exists (select from "deviceKey" "k" where "k"."controlPcbId" = "b"."id")`,
  )
  return new Set(rows.map(({ id }) => id))
}

type Issue = { now: Date; by: string | null }
type Keys = ReadonlyMap<string, string>

/** The keys as an SQL table "n" ("id", "hash"). */
const tableOfKeys = (keys: Keys) =>
  sql`unnest(${sql.val([...keys.keys()])}::text[], ${sql.val([...keys.values()].map(hashOfKey))}::text[]) as "n" ("id", "hash")`

const newKeys = (ids: readonly string[]): Keys => new Map(ids.map((id) => [id, newDeviceKey()]))

/** Sets keys of boards; former ones become invalid. */
export async function setDeviceKeys(db: Queryable, keys: Keys, { isDemo = false, now, by }: Issue & { isDemo?: boolean }) {
  await rowsOf(
    db,
    sql`with "ended" as (insert into "formerKey" ("hash", "controlPcbId", "endedAt")
        select "one", "controlPcbId", ${now}::timestamptz from "deviceKey" cross join unnest(array["hash", "nextHash", "oldHash"]) as "u" ("one")
          where "controlPcbId" = any(${sql.val([...keys.keys()])}::text[]) and "one" is not null and not "isDemo" on conflict ("hash") do nothing)
      insert into "deviceKey" ("controlPcbId", "hash", "isDemo", "createdAt", "createdBy")
      select "n"."id", "n"."hash", ${isDemo}::boolean, ${now}::timestamptz, ${by}::text from ${tableOfKeys(keys)}
      on conflict ("controlPcbId") do update set "hash" = excluded."hash", "isDemo" = excluded."isDemo", "nextHash" = null,
        "nextAt" = null, "nextBy" = null, "oldHash" = null, "oldUntil" = null, "lastUsedAt" = null, "createdAt" = excluded."createdAt",
        "createdBy" = excluded."createdBy"`,
  )
}

/** Creates random keys for boards and returns them; they cannot be read again. Former keys become invalid. */
export async function makeDeviceKeys(db: Queryable, ids: readonly string[], issue: Issue): Promise<Keys> {
  const keys = newKeys(ids)
  await setDeviceKeys(db, keys, issue)
  return keys
}

/** The former key stays valid for this time after the next one's first use. */
const overlapMs = dayMs

type NextKey = { key: string } | { refusal: 'device-key.replaced' | 'device-key.prepared' }

/**
 * Key rotation by the board: creates the next key for its current one. The response may be lost, so a board may repeat the call:
 * only the last key is valid. A next key of an admin is on its way to the board by hand, so it stays.
 */
export async function makeNextKey(
  db: Queryable,
  { controlPcbId, hash, now }: { controlPcbId: string; hash: string; now: Date },
): Promise<NextKey> {
  const key = newDeviceKey()
  const ofBoard = sql`"controlPcbId" = ${controlPcbId} and "hash" = ${hash}`
  const made = await rowOf(
    db,
    sql`update "deviceKey" set "nextHash" = ${hashOfKey(key)}, "nextAt" = ${now} where ${ofBoard} and "nextBy" is null returning 1`,
  )
  if (made) return { key }
  const isCurrent = await rowOf(db, sql`select 1 from "deviceKey" where ${ofBoard}`)
  return { refusal: isCurrent ? 'device-key.prepared' : 'device-key.replaced' }
}

/** First use of the next key: it becomes the current one, and the former one expires a day later. */
export async function beginNextKey(db: Queryable, { hash, now }: { hash: string; now: Date }): Promise<void> {
  const oldUntil = new Date(now.getTime() + overlapMs)
  await rowsOf(
    db,
    sql`with "ended" as (insert into "formerKey" ("hash", "controlPcbId", "endedAt")
        select "oldHash", "controlPcbId", ${now}::timestamptz from "deviceKey" where "nextHash" = ${hash} and "oldHash" is not null
        on conflict ("hash") do nothing)
      update "deviceKey" set "oldHash" = "hash", "oldUntil" = ${oldUntil}, "hash" = "nextHash", "nextHash" = null, "nextAt" = null, "nextBy" = null,
        "createdAt" = ${now}, "createdBy" = "nextBy" where "nextHash" = ${hash}`,
  )
}

/**
 * Key rotation by a user, without interruption: the current key stays valid until a day after the first use of the new one. A
 * board without a key gets its first one. Of several unused keys only the last is valid.
 */
export async function makeOverlappingKeys(db: Queryable, ids: readonly string[], issue: Issue): Promise<Keys> {
  const keys = newKeys(ids)
  const { now, by } = issue
  const rotated = await rowsOf(
    db,
    sql<{ id: string }>`with "ended" as (insert into "formerKey" ("hash", "controlPcbId", "endedAt")
        select "nextHash", "controlPcbId", ${now}::timestamptz from "deviceKey" where "controlPcbId" = any(${sql.val(ids)}::text[]) and "nextHash" is not null
        on conflict ("hash") do nothing)
      update "deviceKey" "k" set "nextHash" = "n"."hash", "nextAt" = ${now}, "nextBy" = ${by}::text from ${tableOfKeys(keys)}
      where "k"."controlPcbId" = "n"."id" and not "k"."isDemo" returning "n"."id"`,
  )
  const known = new Set(rotated.map(({ id }) => id))
  const first = new Map([...keys].filter(([id]) => !known.has(id)))
  if (first.size > 0) await setDeviceKeys(db, first, issue)
  return keys
}
