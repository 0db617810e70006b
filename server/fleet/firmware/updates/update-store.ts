import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { type EventCode, type EventValues, eventText } from '#resources/fleet/event-words.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import {
  deadlineOf,
  isFailed,
  isOver,
  retriedFailures,
  retryDelayMs,
  type UpdateFailure,
  type UpdateStatus,
} from '#server/fleet/firmware/update-state-machine.ts'
import { judgeRollout } from '#server/fleet/firmware/waves/judge-rollout.ts'
import { notifyOutcome } from './notify-outcome.ts'
import { type Update, updateColumns } from './update-rows.ts'
import { addUpdateWebhooks } from './update-webhooks.ts'

export type Source = 'BOARD' | 'SERVER' | 'USER'

/** Reason code of a transition; the console shows its text. */
type EventNote = { code: EventCode; values?: EventValues }

export const noted = (note: EventNote | undefined) =>
  note
    ? { code: note.code, values: note.values ?? {}, message: eventText(note.code, note.values ?? {}, 'en') }
    : { code: null, values: null, message: null }

export type Move = {
  to: UpdateStatus
  source: Source
  note?: EventNote
  progressPct?: number
  bytesSent?: number
  confirmedPackets?: number
  failureCode?: UpdateFailure
  canceledBy?: string
  /** Disables automatic retries. */
  isFinal?: boolean
}

/** Announces an update, its board and its rollout. */
async function announce(
  db: Queryable,
  { id, version, controlPcbId, rolloutId }: Pick<Update, 'id' | 'version' | 'controlPcbId' | 'rolloutId'>,
  type: 'created' | 'updated',
  now: Date,
): Promise<void> {
  const board = await rowOf(db, sql<{ version: number }>`select "version" from "control_pcb" where "id" = ${controlPcbId}`)
  const changes: Change[] = [
    { resource: 'firmware-update', id, version, type },
    { resource: 'control-pcb', id: controlPcbId, version: board?.version ?? 1, type: 'updated' },
  ]
  if (rolloutId) {
    const rollout = await rowOf(db, sql<{ version: number }>`select "version" from "rollout" where "id" = ${rolloutId}`)
    changes.push({ resource: 'rollout', id: rolloutId, version: rollout?.version ?? 1, type: 'updated' })
  }
  await addEvents(db, changes, now)
}

const eventOf = (update: Update, move: Move, now: Date) => ({
  at: now.toISOString(),
  from: update.status,
  to: move.to,
  progressPct: move.progressPct ?? null,
  source: move.source,
  ...noted(move.note),
})

const timesOf = ({ scheduledAt, reportIntervalS }: Update) => ({
  scheduledAt: scheduledAt ? new Date(scheduledAt) : null,
  reportIntervalS,
})

/** Moves an update to a state and records an event. The caller must check that the transition is allowed. */
export async function moveUpdate(db: Queryable, update: Update, move: Move, now: Date): Promise<Update> {
  const over = isOver(move.to)
  const deadlineAt = over ? null : deadlineOf(move.to, { ...timesOf(update), since: now, progressAt: now })
  const moved = await rowOf(
    db,
    sql<Update>`update "firmware_update" set "status" = ${move.to}, "stateSince" = ${now}, "progressAt" = ${now}, "deadlineAt" = ${deadlineAt},
        "progressPct" = ${move.to === 'SUCCEEDED' ? 100 : (move.progressPct ?? update.progressPct)},
        "bytesSent" = coalesce(${move.bytesSent ?? null}::int8, "bytesSent"),
        "confirmedPackets" = coalesce(${move.confirmedPackets ?? null}::int8, "confirmedPackets"),
        "finishedAt" = ${over ? now : null}, "failureCode" = coalesce(${move.failureCode ?? null}::text, "failureCode"),
        "failureMessage" = coalesce(${move.failureCode ? noted(move.note).message : null}::text, "failureMessage"),
        "canceledBy" = coalesce(${move.canceledBy ?? null}::text, "canceledBy"),
        "events" = coalesce("events", '[]') || ${JSON.stringify([eventOf(update, move, now)])}::jsonb,
        "version" = "version" + 1, "updatedAt" = ${now} where "id" = ${update.id} returning ${updateColumns}`,
  )
  if (!moved) return update
  await announce(db, moved, 'updated', now)
  if (over) await settle(db, moved, move, now)
  return moved
}

/** Progress within a state; null = as before. */
export type Progress = { progressPct: number | null; bytesSent: number | null; confirmedPackets: number | null }

/** Records progress within a state: no event, but announced. */
export async function recordProgress(db: Queryable, update: Update, news: Progress, now: Date): Promise<Update> {
  const deadlineAt = deadlineOf(update.status, { ...timesOf(update), since: new Date(update.stateSince), progressAt: now })
  const moved = await rowOf(
    db,
    sql<Update>`update "firmware_update" set "progressAt" = ${now}, "deadlineAt" = ${deadlineAt},
        "progressPct" = coalesce(${news.progressPct}::float8, "progressPct"), "bytesSent" = coalesce(${news.bytesSent}::int8, "bytesSent"),
        "confirmedPackets" = coalesce(${news.confirmedPackets}::int8, "confirmedPackets"), "version" = "version" + 1, "updatedAt" = ${now}
      where "id" = ${update.id} returning ${updateColumns}`,
  )
  if (!moved) return update
  await announce(db, moved, 'updated', now)
  return moved
}

export type NewUpdate = Pick<
  Update,
  'controlPcbId' | 'essId' | 'firmwareId' | 'fromVersion' | 'toVersion' | 'kind' | 'attempt' | 'maxAttempts' | 'requestedBy'
> & { retryOfId: string | null; source: Source; note?: EventNote; notBefore?: Date | null } & Partial<
    Pick<Update, 'rolloutId' | 'wave' | 'window'>
  >

/** Queues an update without checks: a retry of a checked one, or a first one of the demo. */
export async function queueUpdate(db: Queryable, asked: NewUpdate, now: Date): Promise<string> {
  const id = uuidv7()
  const {
    controlPcbId,
    essId,
    firmwareId,
    fromVersion,
    toVersion,
    kind,
    attempt,
    maxAttempts,
    requestedBy,
    retryOfId,
    source,
    rolloutId = null,
    wave = null,
    window = null,
    notBefore = null,
    note = { code: 'ATTEMPT', values: { attempt } },
  } = asked
  const event = { at: now.toISOString(), from: null, to: 'QUEUED', progressPct: 0, source, ...noted(note) }
  await sql`insert into "firmware_update" ("id", "controlPcbId", "essId", "firmwareId", "fromVersion", "toVersion", "kind", "status",
      "progressPct", "attempt", "maxAttempts", "retryOfId", "rolloutId", "wave", "window", "scheduledAt", "stateSince", "progressAt", "deadlineAt", "requestedBy", "events",
      "createdAt", "createdBy", "updatedAt", "updatedBy")
    values (${id}, ${controlPcbId}, ${essId}, ${firmwareId}, ${fromVersion}, ${toVersion}, ${kind}, 'QUEUED', 0, ${attempt}, ${maxAttempts},
      ${retryOfId}, ${rolloutId}, ${wave}, ${window ? JSON.stringify(window) : null}::jsonb, ${notBefore}, ${now}, ${now},
      ${deadlineOf('QUEUED', { since: notBefore ?? now })}, ${requestedBy}, ${JSON.stringify([event])}::jsonb,
      ${now}, ${requestedBy}, ${now}, ${requestedBy})`.execute(db)
  await announce(db, { id, version: 1, controlPcbId, rolloutId }, 'created', now)
  return id
}

/**
 * No retry when the firmware may no longer be installed, the board is out of service or already runs the version, or the
 * rollout was stopped.
 */
const mayGoOn = ({ firmwareId, toVersion, controlPcbId, rolloutId }: Update) =>
  sql`select 1 from "firmware" "f" join "control_pcb" "b" on "b"."id" = ${controlPcbId} and "b"."lifecycle" = 'ACTIVE'
    where "f"."id" = ${firmwareId} and "f"."status" in ('RELEASED', 'TESTING')
      and not exists (select 1 from "boardState" "s" where "s"."controlPcbId" = "b"."id" and "s"."firmwareVersion" = ${toVersion})
      and not exists (select 1 from "rollout" "r" where "r"."id" = ${rolloutId} and "r"."status" = 'STOPPED')`

/** Effects of an update's end: a possible retry, and a notification of the requester. */
async function settle(db: Queryable, update: Update, move: Move, now: Date): Promise<void> {
  const { attempt, maxAttempts, id, requestedBy } = update
  const isRetried = !move.isFinal && isFailed(move.to) && retriedFailures.has(move.failureCode ?? '') && attempt < maxAttempts
  if (isRetried && (await rowOf(db, mayGoOn(update)))) {
    await sql`update "firmware_update" set "retried" = true where "id" = ${id}`.execute(db)
    const notBefore = new Date(now.getTime() + retryDelayMs(attempt + 1))
    const again = { ...update, attempt: attempt + 1, retryOfId: id, requestedBy, source: 'SERVER', notBefore } as const
    return void (await queueUpdate(db, again, now))
  }
  await notifyOutcome(db, update, now)
  await addUpdateWebhooks(db, update, now)
  // Only a failure can exceed the limit, and counting reads every board of the rollout.
  if (update.rolloutId && isFailed(move.to)) await judgeRollout(db, update.rolloutId, now)
}
