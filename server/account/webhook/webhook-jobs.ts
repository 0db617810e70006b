import { sql } from 'kysely'
import { testEvent } from '#resources/shared/webhook-events.ts'
import { hourMs } from '#schema/format/durations.ts'
import { addEvents } from '#server/db/events/add-events.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { Attempt } from './post-message.ts'

/** NOTIFY channel that wakes the webhook queues. */
export const webhookChannel = 'webhook'

export const wakeQueues = (db: Queryable): Promise<unknown> => sql`select pg_notify(${webhookChannel}, '')`.execute(db)

export type DeliveryJob = { id: string; event: string; body: string; attempts: number; url: string }

/** A test is sent even while the webhook is paused; everything else waits. */
const mayLeave = sql`("h"."state" = 'ACTIVE' or "d"."event" = ${testEvent})`

export const dueWebhooks = (db: Queryable, now: Date): Promise<{ id: string }[]> =>
  rowsOf(
    db,
    sql<{ id: string }>`select distinct "h"."id" from "webhook_delivery" "d" join "webhook" "h" on "h"."id" = "d"."webhookId"
      where "d"."dueAt" <= ${now} and ${mayLeave}`,
  )

type Taking = { webhookId: string; now: Date; until: Date; limit: number }

/** Claims a webhook's due deliveries until `until`; after that another process may claim them. */
export const takeDeliveries = (db: Queryable, { webhookId, now, until, limit }: Taking): Promise<DeliveryJob[]> =>
  rowsOf(
    db,
    sql<DeliveryJob>`update "webhook_delivery" "d" set "attempts" = "d"."attempts" + 1, "dueAt" = ${until} from "webhook" "h"
      where "h"."id" = "d"."webhookId" and ${mayLeave} and "d"."id" in (
        select "id" from "webhook_delivery" where "webhookId" = ${webhookId} and "dueAt" <= ${now} order by "dueAt", "id" limit ${limit}
          for update skip locked)
      returning "d"."id", "d"."event", "d"."body", "d"."attempts", "h"."url"`,
  )

export type Outcome = Attempt & { id: string; durationMs: number; now: Date; nextAt: Date | null }

/**
 * Stores the result of an attempt. Without a next attempt the delivery is delivered or failed; it is held when the webhook was
 * paused meanwhile.
 */
export async function settleDelivery(db: Queryable, outcome: Outcome): Promise<{ version: number } | undefined> {
  const { id, durationMs, now, nextAt, statusCode, response, failure, failureText } = outcome
  const isHeld = sql`exists (select 1 from "webhook" "h" where "h"."id" = "d"."webhookId" and "h"."state" = 'PAUSED')`
  const waits = sql`case when ${isHeld} then 'HELD' else 'WAITING' end`
  const state = failure === undefined ? sql`'DELIVERED'` : nextAt === null ? sql`'FAILED'` : waits
  const dueAt = nextAt === null ? sql`null` : sql`case when not ${isHeld} then ${nextAt}::timestamptz end`
  return rowOf(
    db,
    sql<{ version: number }>`update "webhook_delivery" "d" set "state" = ${state}, "dueAt" = ${dueAt}, "lastAttemptAt" = ${now},
        "statusCode" = ${statusCode ?? null}, "durationMs" = ${durationMs}, "failure" = ${failure ?? null},
        "failureText" = ${failureText ?? null}, "response" = ${response ?? null}, "version" = "version" + 1, "updatedAt" = ${now}
      where "id" = ${id} returning "version"`,
  )
}

export type Health = { id: string; name: string; version: number; failingSince: string | null; state: string }
const health = sql`"id", "name", "version", "failingSince", "state"`

/** Records a success. The version stays unchanged, so that open forms do not conflict. */
export const recordSuccess = (db: Queryable, webhookId: string, now: Date): Promise<Health | undefined> =>
  rowOf(
    db,
    sql<Health>`update "webhook" set "lastSuccessAt" = ${now}, "failures" = 0, "failingSince" = null where "id" = ${webhookId}
      returning ${health}`,
  )

/** Records a failure. */
export const recordFailure = (db: Queryable, webhookId: string, now: Date): Promise<Health | undefined> =>
  rowOf(
    db,
    sql<Health>`update "webhook" set "failures" = "failures" + 1, "failingSince" = coalesce("failingSince", ${now})
      where "id" = ${webhookId} returning ${health}`,
  )

export type PauseReason = 'NEW' | 'PERSON' | 'GONE' | 'FAILING'

type Changed = { id: string; version: number }

/** Emits live events for the webhook's open delivery lists. */
async function tell(db: Queryable, changed: readonly Changed[], now: Date): Promise<void> {
  const events = changed.map((one) => ({ resource: 'webhook-delivery', ...one, type: 'updated' }) as const)
  await addEvents(db, events, now)
}

/** Holds waiting deliveries, without a next attempt, until the webhook is resumed. */
export async function holdDeliveries(db: Queryable, webhookId: string, now: Date): Promise<void> {
  const held = sql<Changed>`update "webhook_delivery" set "state" = 'HELD', "dueAt" = null, "version" = "version" + 1, "updatedAt" = ${now}
    where "webhookId" = ${webhookId} and "state" = 'WAITING' and "event" <> ${testEvent} returning "id", "version"`
  await tell(db, await rowsOf(db, held), now)
}

type Release = { webhookId: string; now: Date; heldHours: number }

/** Requeues the held deliveries of a resumed webhook with a full set of attempts. Those older than `heldHours` are given up. */
export async function releaseDeliveries(db: Queryable, { webhookId, now, heldHours }: Release): Promise<void> {
  const oldest = new Date(now.getTime() - heldHours * hourMs)
  const outdated = sql<Changed>`update "webhook_delivery" set "state" = 'FAILED', "failure" = 'OUTDATED', "statusCode" = null,
      "failureText" = null, "response" = null, "dueAt" = null, "version" = "version" + 1, "updatedAt" = ${now}
    where "webhookId" = ${webhookId} and "state" = 'HELD' and "createdAt" < ${oldest} returning "id", "version"`
  const released = sql<Changed>`update "webhook_delivery" set "state" = 'WAITING', "dueAt" = ${now}, "attempts" = 0, "version" = "version" + 1, "updatedAt" = ${now}
    where "webhookId" = ${webhookId} and "state" in ('HELD', 'WAITING') returning "id", "version"`
  const changed = [...(await rowsOf(db, outdated)), ...(await rowsOf(db, released))]
  await tell(db, changed, now)
}

/** Pauses an active webhook automatically; undefined when it was already paused. */
export async function pauseByItself(
  db: Queryable,
  { webhookId, reason, now }: { webhookId: string; reason: PauseReason; now: Date },
): Promise<Health | undefined> {
  const paused = await rowOf(
    db,
    sql<Health>`update "webhook" set "state" = 'PAUSED', "pausedBecause" = ${reason}, "version" = "version" + 1, "updatedAt" = ${now}
      where "id" = ${webhookId} and "state" = 'ACTIVE' returning ${health}`,
  )
  if (paused) await holdDeliveries(db, webhookId, now)
  return paused
}
