import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs } from '#schema/format/durations.ts'
import { eventChannel } from '#server/db/events/event-channel.ts'
import type { Queryable } from '#server/db/query.ts'

/** Reason why a message was given up. */
export type Failure = { failure: 'REFUSED' | 'UNREACHABLE' | 'LINK'; failureText?: string }
export type GivenUp = Failure & { now: Date }

const keptMs = 30 * dayMs
const textMax = 500

const columns = sql`"id", "channel", "kind", "recipient", "userId", "state", "attempts", "failure", "failureText", "givenUpAt",
  "createdAt", "updatedAt"`
const given = ({ failure, failureText, now }: GivenUp) =>
  sql`${failure}, ${failureText?.slice(0, textMax) ?? null}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz`

/** The record of a mail of the common table expression "changed"; of one that was sent again and failed again the same. */
export const givenUpMail = (why: GivenUp): RawBuilder<unknown> =>
  sql`insert into "undelivered_message" (${columns})
      select "c"."id", 'MAIL', "c"."mail"->>'template', "c"."mail"->>'to',
        (select "u"."id" from "user" "u" where "u"."email" = "c"."mail"->>'to' order by "u"."deletedAt" nulls first limit 1),
        'FAILED', "c"."attempts", ${given(why)} from "changed" "c"
    on conflict ("id") do update set "state" = 'FAILED', "attempts" = excluded."attempts", "failure" = excluded."failure",
      "failureText" = excluded."failureText", "givenUpAt" = excluded."givenUpAt", "updatedAt" = excluded."updatedAt",
      "version" = "undelivered_message"."version" + 1`

/** The record of a mail of "changed" that was given up before and has left now. */
export const sentMail = (now: Date): RawBuilder<unknown> =>
  sql`update "undelivered_message" set "state" = 'SENT', "failure" = null, "failureText" = null, "updatedAt" = ${now},
      "version" = "version" + 1
    where "id" in (select "id" from "changed")`

/** Tells open consoles of events by their "id" and "resource". */
export const notified = (events: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select pg_notify(${eventChannel}, "id"::text || ' ' || "resource") from (${events}) "events"`

/** `and`: tables before the record; `told`: further events. */
type Recording = { and?: RawBuilder<unknown>; told?: RawBuilder<unknown>; record: RawBuilder<unknown>; now: Date }

/** Writes records together with the tables of `and`, and tells open consoles. */
export const recordMessages = (db: Queryable, { and = sql``, told, record, now }: Recording) =>
  sql`with ${and} "recorded" as (${record} returning "id", "version"),
      "added" as (insert into "event" ("at", "resource", "entityId", "version", "type")
        select ${now}::timestamptz, 'undelivered-message', "id", "version", case when "version" = 1 then 'created' else 'updated' end
        from "recorded" returning "id", "resource")
    ${notified(sql`select "id", "resource" from "added" ${told ? sql`union all ${told}` : sql``}`)}`.execute(db)

type LostPush = GivenUp & { userId: string; attempts: number }

/** Records a push that no attempt has delivered. */
export async function recordLostPush(db: Queryable, { userId, attempts, ...why }: LostPush): Promise<void> {
  const record = sql`insert into "undelivered_message" (${columns})
    select ${uuidv7()}, 'PUSH', 'push', "email", "id", 'FAILED', ${attempts}::int4, ${given(why)} from "user" where "id" = ${userId}`
  await recordMessages(db, { record, now: why.now })
}

/** Deletes messages that were given up 30 days ago, and the mails that were kept for them. */
export async function pruneUndelivered(db: Queryable, now: Date): Promise<void> {
  await sql`with "gone" as (delete from "undelivered_message"
        where "givenUpAt" < ${new Date(now.getTime() - keptMs)} and "state" <> 'WAITING' returning "id", "version"),
      "mails" as (delete from "mailJob" where "id" in (select "id" from "gone")),
      "told" as (insert into "event" ("at", "resource", "entityId", "version", "type")
        select ${now}::timestamptz, 'undelivered-message', "id", "version" + 1, 'deleted' from "gone" returning "id", "resource")
    ${notified(sql`select "id", "resource" from "told"`)}`.execute(db)
}
