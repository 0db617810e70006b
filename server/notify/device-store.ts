import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs } from '#schema/format/durations.ts'
import { takeLockOf } from '#server/base/advisory-locks.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

/** A registration as its owner sees it, without the push id. */
export type Device = {
  id: string
  platform: string
  isDebug: boolean
  label: string
  createdAt: string
  lastSeenAt: string
  lastOkAt: string | null
  failures: number
  disabledAt: string | null
}

export const devicesPerUser = 10_000
const listed = 200
/** Devices without a visit or a delivered push for this time are disabled. */
const unseenMs = 60 * dayMs
const failuresMax = 5

const digest = (pushId: string) => createHash('sha256').update(pushId).digest('base64url')
const columns = sql.raw('"id", "platform", "isDebug", "label", "createdAt", "lastSeenAt", "lastOkAt", "failures", "disabledAt"')

export type Registration = { userId: string; pushId: string; isDebug: boolean; label: string; now: Date }
/** `moved`: it belonged to another user before. */
export type Registered = { id: string; was: 'new' | 'known' | 'moved' } | 'too-many'

/** Registers a device for a user; a known push id moves to this user. Requires a transaction. */
export async function registerDevice(
  db: Queryable,
  { userId, pushId, isDebug, label, now }: Registration,
): Promise<Registered> {
  await takeLockOf(db, 'thing', `device:${userId}`)
  const hash = digest(pushId)
  const known = await rowOf(
    db,
    sql<{ id: string; userId: string }>`select "id", "userId" from "device" where "pushIdHash" = ${hash} for update`,
  )
  if (known?.userId !== userId) {
    const own = await rowOf(db, sql<{ count: number }>`select count(*) as "count" from "device" where "userId" = ${userId}`)
    if ((own?.count ?? 0) >= devicesPerUser) return 'too-many'
  }
  const made = await rowOf(
    db,
    sql<{
      id: string
    }>`insert into "device" ("id", "userId", "platform", "pushId", "pushIdHash", "isDebug", "label", "createdAt", "lastSeenAt")
      values (${uuidv7()}, ${userId}, 'web', ${pushId}, ${hash}, ${isDebug}, ${label}, ${now}, ${now})
      on conflict ("pushIdHash") do update set "userId" = excluded."userId", "isDebug" = excluded."isDebug", "label" = excluded."label",
        "lastSeenAt" = excluded."lastSeenAt", "failures" = 0, "disabledAt" = null returning "id"`,
  )
  if (known && known.userId !== userId) await sql`delete from "pushJob" where "deviceId" = ${known.id}`.execute(db)
  return { id: made?.id ?? '', was: !known ? 'new' : known.userId === userId ? 'known' : 'moved' }
}

/** An open stream counts as a visit: recorded for this kind of browser, at most once a day. */
export async function touchDevices(
  db: Queryable,
  { userId, label, now }: { userId: string; label: string; now: Date },
): Promise<void> {
  await sql`update "device" set "lastSeenAt" = ${now} where "userId" = ${userId} and "label" = ${label} and "disabledAt" is null
    and "lastSeenAt" < ${new Date(now.getTime() - dayMs)}`.execute(db)
}

/** Own registrations, most recently seen first. */
export const listDevices = (db: Queryable, userId: string): Promise<Device[]> =>
  rowsOf(
    db,
    sql<Device>`select ${columns} from "device" where "userId" = ${userId} order by "lastSeenAt" desc, "id" limit ${listed}`,
  )

export const countDevices = async (db: Queryable, userId: string): Promise<number> =>
  (await rowOf(db, sql<{ count: number }>`select count(*) as "count" from "device" where "userId" = ${userId}`))?.count ?? 0

/** One of the own registrations. */
export const deviceOf = (db: Queryable, { id, userId }: { id: string; userId: string }): Promise<Device | undefined> =>
  rowOf(db, sql<Device>`select ${columns} from "device" where "id" = ${id} and "userId" = ${userId}`)

/** Removes one of the own registrations. False when there is no such one. */
export async function removeDevice(db: Queryable, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const gone = await rowsOf(db, sql`delete from "device" where "id" = ${id} and "userId" = ${userId} returning "id"`)
  return gone.length > 0
}

/** Removes the registration that a logout names, if it is the user's own. */
export async function forgetDevice(db: Queryable, { userId, pushId }: { userId: string; pushId: string }): Promise<void> {
  await sql`delete from "device" where "pushIdHash" = ${digest(pushId)} and "userId" = ${userId}`.execute(db)
}

/** Removes all registrations of a user; each console registers again at its next sign-in. */
export const forgetPushDevicesOf = (db: Queryable, userId: string) =>
  sql`delete from "device" where "userId" = ${userId}`.execute(db)

/** Records a delivered push. */
export async function recordSent(db: Queryable, deviceId: string, now: Date): Promise<void> {
  await sql`update "device" set "lastOkAt" = ${now}, "failures" = 0 where "id" = ${deviceId}`.execute(db)
}

/** Records a failed push; the fifth in a row counts as gone. */
export async function recordFailed(
  db: Queryable,
  { deviceId, isGone, now }: { deviceId: string; isGone: boolean; now: Date },
): Promise<void> {
  const limit = isGone ? 0 : failuresMax - 1
  await sql`update "device" set "failures" = "failures" + 1,
    "disabledAt" = case when "failures" >= ${limit}::int4 then coalesce("disabledAt", ${now}::timestamptz) else "disabledAt" end
    where "id" = ${deviceId}`.execute(db)
}

/** Disables devices unseen for too long. */
export async function disableUnseen(db: Queryable, now: Date): Promise<void> {
  await sql`update "device" set "disabledAt" = ${now} where "disabledAt" is null
    and greatest("lastSeenAt", "lastOkAt") < ${new Date(now.getTime() - unseenMs)}`.execute(db)
}
