import { sql } from 'kysely'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { eventChannel } from './event-channel.ts'

/** Events of one work: lists reload on the first ones, and ten thousand would only load every open page. */
export const mostEvents = 200

/** A change for the live stream; with a `userId` only for this person, who gains or loses the record. */
export type Change = {
  resource: string
  id: string
  version: number
  type: 'created' | 'updated' | 'deleted'
  userId?: string
}

const keyOf = ({ resource, id, version, type, userId = '' }: Change) => `${resource} ${id} ${version} ${type} ${userId}`

/** Deduplicates: rules and engine may announce the same change. */
export const distinctChanges = (changes: readonly Change[]): readonly Change[] => [
  ...new Map(changes.map((change) => [keyOf(change), change])).values(),
]

/** Writes events in the transaction of the change and notifies listeners on commit. */
export async function addEvents(db: Queryable, changes: readonly Change[], at: Date): Promise<void> {
  const rows = distinctChanges(changes)
  if (rows.length === 0) return
  const [resources, ids] = [rows.map(({ resource }) => resource), rows.map(({ id }) => id)]
  const [versions, types] = [rows.map(({ version }) => version), rows.map(({ type }) => type)]
  const people = rows.map(({ userId }) => userId ?? null)
  await rowsOf(
    db,
    sql`${prepared} with "added" as (insert into "event" ("at", "resource", "entityId", "version", "type", "userId")
        select ${at}::timestamptz, "u".* from unnest(${sql.val(resources)}::text[], ${sql.val(ids)}::text[], ${sql.val(versions)}::int4[],
          ${sql.val(types)}::text[], ${sql.val(people)}::text[]) as "u"
        returning "id", "resource")
      select pg_notify(${eventChannel}, "id"::text || ' ' || "resource") from "added"`,
  )
}
