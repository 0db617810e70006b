import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs } from '#schema/format/durations.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** Reason why a message was given up. */
export type Failure = { failure: 'REFUSED' | 'UNREACHABLE' | 'LINK'; failureText?: string }
export type GivenUp = Failure & { now: Date }

const keptMs = 30 * dayMs
const textMax = 500

const columns = sql`"id", "channel", "kind", "recipient", "userId", "state", "attempts", "failure", "failureText", "givenUpAt",
  "createdAt", "updatedAt"`
const given = ({ failure, failureText, now }: GivenUp) =>
  sql`${failure}, ${failureText?.slice(0, textMax) ?? null}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz`

type Recorded = { id: string; version: number }

/** Runs a statement that writes records, and returns the changes for open consoles. */
async function changesOf(db: Queryable, statement: RawBuilder<unknown>, ended?: 'deleted'): Promise<Change[]> {
  const rows = await rowsOf(db, sql<Recorded>`${statement} returning "id", "version"`)
  return rows.map(({ id, version }) => ({
    resource: 'undelivered-message',
    id,
    version: ended ? version + 1 : version,
    type: ended ?? (version === 1 ? 'created' : 'updated'),
  }))
}

type LostMail = GivenUp & { id: string; template: string; to: string; attempts: number }

/** Records a mail that was given up; one that was sent again and failed again keeps its record. */
export const recordLostMail = (db: Queryable, { id, template, to, attempts, ...why }: LostMail): Promise<Change[]> =>
  changesOf(
    db,
    sql`insert into "undelivered_message" (${columns}) values (${id}, 'MAIL', ${template}, ${to},
        (select "id" from "user" where "email" = ${to} order by "deletedAt" nulls first limit 1), 'FAILED', ${attempts}::int4, ${given(why)})
      on conflict ("id") do update set "state" = 'FAILED', "attempts" = excluded."attempts", "failure" = excluded."failure",
        "failureText" = excluded."failureText", "givenUpAt" = excluded."givenUpAt", "updatedAt" = excluded."updatedAt",
        "version" = "undelivered_message"."version" + 1`,
  )

/** Records that a mail that was given up before has left now. */
export const recordSentMail = (db: Queryable, id: string, now: Date): Promise<Change[]> =>
  changesOf(
    db,
    sql`update "undelivered_message" set "state" = 'SENT', "failure" = null, "failureText" = null, "updatedAt" = ${now},
      "version" = "version" + 1 where "id" = ${id}`,
  )

type LostPush = GivenUp & { userId: string; attempts: number }

/** Records a push that no attempt has delivered. Runs inside the caller's transaction. */
export async function recordLostPush(db: Queryable, { userId, attempts, ...why }: LostPush): Promise<void> {
  const statement = sql`insert into "undelivered_message" (${columns})
    select ${uuidv7()}, 'PUSH', 'push', "email", "id", 'FAILED', ${attempts}::int4, ${given(why)} from "user" where "id" = ${userId}`
  await addEvents(db, await changesOf(db, statement), why.now)
}

/**
 * Deletes messages that were given up 30 days ago, and the mails that were kept for them. Runs inside the caller's transaction.
 */
export async function pruneUndelivered(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  const statement = sql`delete from "undelivered_message" where "givenUpAt" < ${before} and "state" <> 'WAITING'`
  const gone = await changesOf(db, statement, 'deleted')
  await sql`delete from "mailJob" where "id" = any(${sql.val(gone.map(({ id }) => id))}::text[])`.execute(db)
  await addEvents(db, gone, now)
}
