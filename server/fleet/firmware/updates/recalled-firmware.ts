import { sql } from 'kysely'
import type { Queryable } from '#server/db/query.ts'
import { canceledTo } from '#server/fleet/firmware/update-state-machine.ts'
import type { Update } from './update-rows.ts'
import { moveUpdate } from './update-store.ts'

/** Open updates of a revoked firmware that have not started to install. */
export const ofRevoked = sql`"finishedAt" is null and "status" in ('SCHEDULED', 'QUEUED', 'DOWNLOADING', 'VERIFYING')
  and "firmwareId" in (select "f"."id" from "firmware" "f" where "f"."status" = 'REVOKED')`

/** Updates of a stopped rollout that have not started. */
export const ofStopped = sql`"finishedAt" is null and "status" in ('SCHEDULED', 'QUEUED')
  and "rolloutId" in (select "r"."id" from "rollout" "r" where "r"."status" = 'STOPPED')`

export async function takeRevoked(db: Queryable, update: Update, now: Date, canceledBy?: string): Promise<void> {
  const by = canceledBy === undefined ? {} : { canceledBy }
  await moveUpdate(db, update, { to: canceledTo(update.status), source: 'SERVER', note: { code: 'REVOKED' }, ...by }, now)
}

export async function takeStopped(db: Queryable, update: Update, now: Date, canceledBy?: string): Promise<void> {
  const by = canceledBy === undefined ? ({ source: 'SERVER' } as const) : ({ source: 'USER', canceledBy } as const)
  await moveUpdate(db, update, { to: 'CANCELED', failureCode: 'USER', note: { code: 'STOPPED' }, ...by }, now)
}
