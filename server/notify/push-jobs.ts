import { type RawBuilder, sql } from 'kysely'
import type { Language } from '#schema/words.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Note } from './push-sender.ts'

/** NOTIFY channel that wakes the push queues. */
export const pushChannel = 'push'

/** Queues a notification for every enabled device that matches the condition on "device". */
export async function addPushJobs(
  db: Queryable,
  { note, now, devices }: { note: Note; now: Date; devices: RawBuilder<unknown> },
): Promise<void> {
  await rowsOf(
    db,
    sql`with "added" as (insert into "pushJob" ("deviceId", "userId", "note", "dueAt")
        select "id", "userId", ${JSON.stringify(note)}::jsonb, ${now}::timestamptz from "device"
        where "disabledAt" is null and ${devices} returning "id")
      select pg_notify(${pushChannel}, '') where exists (select from "added")`,
  )
}

export type PushJob = {
  id: number
  deviceId: string
  userId: string
  pushId: string
  language: Language | null
  note: Note
  attempts: number
}

/** Rechecked by both statements below: between them the user may be locked, or the device may move to another user. */
const mayHear = sql`d."userId" = j."userId" and d."disabledAt" is null and u."lockedAt" is null and u."deletedAt" is null`

/**
 * Claims due jobs until `until`; after that another process may claim them. Jobs of disabled or moved devices, or of users who
 * may not sign in, are dropped so that they do not block the queue.
 */
export async function takePushJobs(
  db: Queryable,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<PushJob[]> {
  await sql`delete from "pushJob" j using "device" d left join "user" u on u."id" = d."userId" where d."id" = j."deviceId"
    and j."dueAt" <= ${now} and not (${mayHear})`.execute(db)
  return rowsOf(
    db,
    sql<PushJob>`update "pushJob" j set "attempts" = j."attempts" + 1, "dueAt" = ${until}
      from "device" d left join "user" u on u."id" = d."userId"
      where d."id" = j."deviceId" and ${mayHear} and j."id" in (
        select "id" from "pushJob" where "dueAt" <= ${now} order by "dueAt", "id" limit ${limit} for update skip locked)
      returning j."id", j."deviceId", j."userId", d."pushId", u."language", j."note", j."attempts"`,
  )
}

export async function removePushJob(db: Queryable, id: number): Promise<void> {
  await sql`delete from "pushJob" where "id" = ${id}`.execute(db)
}

export async function delayPushJob(db: Queryable, id: number, dueAt: Date): Promise<void> {
  await sql`update "pushJob" set "dueAt" = ${dueAt} where "id" = ${id}`.execute(db)
}
