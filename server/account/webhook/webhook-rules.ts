import { sql } from 'kysely'
import type { ActionHandler, ResourceRules, Work } from '#server/engine/records/resource-rules.ts'
import { addTest } from './add-webhook-events.ts'
import { refuseUrl } from './refuse-url.ts'
import { holdDeliveries, releaseDeliveries, wakeQueues } from './webhook-jobs.ts'
import { makeSecret, overlapMs } from './webhook-secrets.ts'

const stamps = ({ now, caller }: Work) => sql`"version" = "version" + 1, "updatedAt" = ${now}, "updatedBy" = ${caller.userId}`

/** Creates a new secret, returned in this answer only. */
const newSecret: ActionHandler = async ({ id, record, work }) => {
  const { db, now, config } = work
  const oldUntil = record?.secretAt ? new Date(now.getTime() + overlapMs) : null
  const secret = await makeSecret(db, { webhookId: id, now, config })
  await sql`update "webhook" set "secretAt" = ${now}, "oldSecretUntil" = ${oldUntil}, ${stamps(work)} where "id" = ${id}`.execute(
    db,
  )
  return { body: { secret } }
}

const test: ActionHandler = async ({ id, work: { db, now } }) => {
  const made = await addTest(db, id, now)
  return made === undefined ? {} : { made }
}

/** Resets the failure period, so that it can fail for a day again before it is paused automatically. */
const resume: ActionHandler = async ({ id, work }) => {
  const { db, now, config } = work
  await sql`update "webhook" set "state" = 'ACTIVE', "pausedBecause" = null, "failures" = 0, "failingSince" = null, ${stamps(work)}
    where "id" = ${id}`.execute(db)
  await releaseDeliveries(db, { webhookId: id, now, heldHours: config.webhookHeldHours })
  await wakeQueues(db)
}

const pause: ActionHandler = async ({ id, work }) => {
  const { db, now } = work
  await sql`update "webhook" set "state" = 'PAUSED', "pausedBecause" = 'PERSON', ${stamps(work)} where "id" = ${id}`.execute(db)
  await holdDeliveries(db, id, now)
}

export const webhookRules: ResourceRules = {
  beforeCreate: async (values, { config }) => {
    refuseUrl(values.url, config.webhookNetworks)
    return values
  },
  beforeUpdate: async (change, _current, { config }) => {
    if (change.url !== undefined) refuseUrl(change.url, config.webhookNetworks)
    return change
  },
  beforeDelete: async (current, { db }) => {
    await sql`delete from "webhook_delivery" where "webhookId" = ${current.id}`.execute(db)
    await sql`delete from "webhookSecret" where "webhookId" = ${current.id}`.execute(db)
    return 'delete'
  },
  actions: {
    'new-secret': { handler: newSecret, status: 201 },
    test: { handler: test, status: 201, makes: 'webhook-delivery' },
    resume,
    pause,
  },
}

/** Requeues a finished delivery under its own id, keeping its earlier attempts. */
const sendAgain: ActionHandler = async ({ id, work: { db, now } }) => {
  await sql`update "webhook_delivery" "d" set "attempts" = 0, "version" = "d"."version" + 1, "updatedAt" = ${now},
      "state" = case when "h"."state" = 'ACTIVE' then 'WAITING' else 'HELD' end,
      "dueAt" = case when "h"."state" = 'ACTIVE' then ${now}::timestamptz end
    from "webhook" "h" where "h"."id" = "d"."webhookId" and "d"."id" = ${id}`.execute(db)
  await wakeQueues(db)
}

export const webhookDeliveryRules: ResourceRules = {
  actions: { 'send-again': sendAgain },
  indexes: [
    `create index if not exists "webhook_delivery_dueAt_ix" on "webhook_delivery" ("dueAt") where "dueAt" is not null`,
    `create index if not exists "webhook_delivery_webhook_ix" on "webhook_delivery" ("webhookId", "createdAt" desc)`,
    `create index if not exists "webhook_delivery_open_ix" on "webhook_delivery" ("state", "createdAt") where "state" in ('WAITING', 'HELD')`,
    `create index if not exists "webhook_delivery_createdAt_ix" on "webhook_delivery" ("createdAt")`,
  ],
}
