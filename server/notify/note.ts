import { sql } from 'kysely'
import type { Tone } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { eventChannel } from '#server/db/events/event-channel.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** A notification for one user. `link` is a path of the console; with a `deviceId` it is for that device only. */
export type Note = { id: string; title: Label; body: Label; link: string | null; tone?: Tone; deviceId?: string }

export type Notification = { userId: string; note: Note; now: Date }

/** Writes a notification to a user's stream. Idempotent by its id. */
export async function addNotification(db: Queryable, { userId, note, now }: Notification): Promise<void> {
  await rowsOf(
    db,
    sql`with "added" as (insert into "event" ("at", "resource", "entityId", "version", "type", "userId", "note")
        values (${now}, 'notification', ${note.id}, 1, 'notification', ${userId}, ${JSON.stringify(note)})
        on conflict ("entityId") where "note" is not null do nothing returning "id")
      select pg_notify(${eventChannel}, "id"::text || ' notification') from "added"`,
  )
}
