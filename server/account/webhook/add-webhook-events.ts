import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { severities } from '#resources/shared/status-parts.ts'
import { type deliveredEvents, testEvent, type WebhookEventType } from '#resources/shared/webhook-events.ts'
import { webhook } from '#resources/webhook.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { wakeQueues } from './webhook-jobs.ts'

/** One event and its payload. `severity` is a warning's, for webhooks limited to some severities. */
export type WebhookEvent = { type: WebhookEventType; severity?: string | undefined; data: Readonly<Record<string, unknown>> }

type Hook = { id: string; events: string[]; minSeverity: string | null; state: string }

const chosen = (types: RawBuilder<unknown>) =>
  sql`exists (select 1 from jsonb_array_elements_text("h"."events") as "one" where "one" = any(${types}))`

/** SQL condition for statements that collect event data: without a subscribed webhook they return nothing. */
export const hasSubscriber = (type: WebhookEventType): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from "webhook" "h" where ${chosen(sql`array[${type}]::text[]`)})`

const rank = (severity: string | null | undefined) => Object.keys(severities).indexOf(severity ?? '')

const wants = ({ events, minSeverity }: Hook, { type, severity }: WebhookEvent) =>
  events.includes(type) && (severity === undefined || rank(severity) >= rank(minSeverity))

type NewDelivery = { webhookId: string; event: keyof typeof deliveredEvents; state: 'WAITING' | 'HELD'; data: object }

/** A Standard Webhooks message; every attempt sends the same bytes. */
const bodyOf = (type: string, data: object, now: Date) => JSON.stringify({ type, timestamp: now.toISOString(), data })

async function insert(db: Queryable, deliveries: readonly NewDelivery[], now: Date): Promise<string[]> {
  const rows = deliveries.map(({ data, ...facts }) => ({ ...facts, id: uuidv7(), body: bodyOf(facts.event, data, now) }))
  await sql`insert into "webhook_delivery" ("id", "webhookId", "event", "state", "attempts", "dueAt", "body", "createdAt", "updatedAt")
    select "u"."id", "u"."webhookId", "u"."event", "u"."state", 0, case when "u"."state" = 'WAITING' then ${now}::timestamptz end, "u"."body",
      ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as "u" ("id" text, "webhookId" text, "event" text, "state" text, "body" text)`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  await addEvents(
    db,
    ids.map((id): Change => ({ resource: 'webhook-delivery', id, version: 1, type: 'created' })),
    now,
  )
  await wakeQueues(db)
  return ids
}

/** Transactional outbox: queues events for subscribed webhooks in the transaction that causes them. */
export async function addWebhookEvents(db: Queryable, events: readonly WebhookEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  const types = sql`${sql.val([...new Set(events.map(({ type }) => type))])}::text[]`
  const hooks = await rowsOf(
    db,
    sql<Hook>`${prepared} select "h"."id", "h"."events", "h"."minSeverity", "h"."state" from "webhook" "h" where ${chosen(types)}`,
  )
  const deliveries = hooks.flatMap((hook) =>
    events
      .filter((event) => wants(hook, event))
      .map(
        ({ type, data }): NewDelivery => ({
          webhookId: hook.id,
          event: type,
          state: hook.state === 'ACTIVE' ? 'WAITING' : 'HELD',
          data,
        }),
      ),
  )
  if (deliveries.length > 0) await insert(db, deliveries, now)
}

/** Queues a test message; it is sent even while the webhook is paused. */
export async function addTest(db: Queryable, webhookId: string, now: Date): Promise<string | undefined> {
  const [id] = await insert(db, [{ webhookId, event: testEvent, state: 'WAITING', data: { webhookId } }], now)
  return id
}

/** Changes of webhooks and deliveries are not sent: each delivery would cause another one. */
const ownResources: readonly string[] = ['webhook', 'webhook-delivery']

/** Queues record changes by people: kind, id and version, without values. */
export async function addRecordEvents(
  db: Queryable,
  changes: readonly Change[],
  { now, definitions }: Pick<Work, 'now' | 'definitions'>,
): Promise<void> {
  if (!definitions.has(webhook.name)) return
  const sent = changes.filter(({ resource }) => !ownResources.includes(resource))
  await addWebhookEvents(
    db,
    sent.map(({ resource, id, version, type }): WebhookEvent => ({ type: `record.${type}`, data: { resource, id, version } })),
    now,
  )
}
