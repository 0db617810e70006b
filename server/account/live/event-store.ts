import { type RawBuilder, sql } from 'kysely'
import type { LiveEvent } from '#schema/wire/wire.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { Note } from '#server/notify/note.ts'
import { beginning, keptMs, type Position } from './event-position.ts'

export type StoredEvent = {
  position: Position
  atMs: number
  event: LiveEvent
  /** The only user who may read it. */
  userId: string | null
  note: Note | null
}

type EventRow = {
  xid: string
  id: number
  at: string
  resource: string
  entityId: string
  version: number
  type: LiveEvent['type']
  userId: string | null
  note: Note | null
  settled: boolean
}

const storedOf = ({ xid, id, at, resource, entityId, version, type, userId, note }: EventRow): StoredEvent => ({
  position: { xid: BigInt(xid), id: BigInt(id) },
  atMs: Date.parse(at),
  event: { resource, id: entityId, version, type, at },
  userId,
  note,
})

/**
 * The next events after a position, in stable order: those of transactions older than all running ones. `held`: younger ones
 * exist and become readable soon.
 */
export async function readEvents(
  db: Queryable,
  after: Position,
  limit: number,
): Promise<{ events: StoredEvent[]; held: boolean }> {
  const rows = await rowsOf(
    db,
    sql<EventRow>`select "xid"::text as "xid", "id", "at", "resource", "entityId", "version", "type", "userId", "note",
        "xid" < pg_snapshot_xmin(pg_current_snapshot()) as "settled"
      from "event" where ("xid", "id") > (${String(after.xid)}::xid8, ${String(after.id)}::int8)
      order by "event"."xid", "id" limit ${limit}`,
  )
  const events = rows.filter(({ settled }) => settled).map(storedOf)
  return { events, held: events.length < rows.length }
}

/** True when more events than these lie between two positions. */
export async function isFurtherThan(
  db: Queryable,
  most: number,
  { after, to }: { after: Position; to: Position },
): Promise<boolean> {
  const row = await rowOf(
    db,
    sql<{ count: number }>`select count(*)::int4 as "count" from (select from "event"
      where ("xid", "id") > (${String(after.xid)}::xid8, ${String(after.id)}::int8)
        and ("xid", "id") <= (${String(to.xid)}::xid8, ${String(to.id)}::int8) order by "xid", "id" limit ${most + 1}) "between"`,
  )
  return (row?.count ?? 0) > most
}

/** Position of the last readable event. */
export async function latestPosition(db: Queryable): Promise<Position> {
  const row = await rowOf(
    db,
    sql<{ xid: string; id: number }>`select "xid"::text as "xid", "id" from "event"
      where "xid" < pg_snapshot_xmin(pg_current_snapshot()) order by "event"."xid" desc, "id" desc limit 1`,
  )
  return row ? { xid: BigInt(row.xid), id: BigInt(row.id) } : beginning
}

/** The cluster has not counted this far: a restore, or a standby that took over, has put it in the place of another one. */
const isAhead = (xid: RawBuilder<unknown>) => sql<boolean>`${xid} >= pg_snapshot_xmax(pg_current_snapshot())`

/** False for a position of another cluster, after which this one would have no events for as long as it counts up to it. */
export async function isReached(db: Queryable, { xid }: Position): Promise<boolean> {
  const row = await rowOf(db, sql<{ isAhead: boolean }>`select ${isAhead(sql`${String(xid)}::xid8`)} as "isAhead"`)
  return row?.isAhead === false
}

/** Deletes old events, and those ahead of this cluster, which would be told as new later. */
export async function pruneEvents(db: Queryable, now: Date): Promise<void> {
  await sql`delete from "event" where "at" < ${new Date(now.getTime() - keptMs)} or ${isAhead(sql`"xid"`)}`.execute(db)
}
