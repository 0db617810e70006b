import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { UpdateStatus } from '#server/fleet/firmware/update-state-machine.ts'
import { isNews } from '#server/fleet/ingest/board-report.ts'
import type { FrameObserver, IngestedBatch } from '#server/fleet/ingest/ingest-frames.ts'
import type { StoredFrame } from '#server/fleet/ingest/store-packages.ts'
import type { DecodedFrame } from '#server/frames/frame-decoder.ts'
import { makeReason } from '#server/frames/make-reason.ts'
import { reportProgress, statesAfter } from './report-progress.ts'
import { openUpdatesOf, type Update } from './update-rows.ts'
import { moveUpdate, recordProgress } from './update-store.ts'

/** Records a report that does not fit its update, with its packet. */
async function recordMisfit(db: Queryable, { id, decoded }: StoredFrame, update: Update | undefined): Promise<void> {
  const { updateId, state } = decoded.values
  const isOther = !update || updateId !== update.id
  const facts = isOther
    ? { field: 'updateId', expected: update?.id ?? 'no open update', actual: String(updateId) }
    : { field: 'state', expected: statesAfter(update).join(', ') || '–', actual: String(state) }
  const reason = makeReason('UPDATE_STATE', facts)
  await rowsOf(
    db,
    sql`update "package" set "reasons" = "reasons" || ${JSON.stringify([reason])}::jsonb, "reason" = "reason" || ${JSON.stringify([reason.code])}::jsonb
      where "id" = ${id}`,
  )
}

/** Applies a progress report to its update. */
async function progressed(
  db: Queryable,
  update: Update | undefined,
  frame: StoredFrame,
  now: Date,
): Promise<Update | undefined> {
  const { updateId, state, progressPct, receivedB, failure } = frame.decoded.values
  const report = { state, progressPct, receivedB, failure }
  const next = update && updateId === update.id ? await reportProgress(db, update, report, now) : undefined
  if (!next) await recordMisfit(db, frame, update)
  return next ?? update
}

/** After a restart the running version decides the outcome. */
async function started(db: Queryable, update: Update, now: Date): Promise<Update> {
  return moveUpdate(
    db,
    update,
    { to: 'CONFIRMING', source: 'BOARD', note: { code: 'STARTED' }, progressPct: 100, confirmedPackets: 0 },
    now,
  )
}

/** Counts a valid packet towards the confirmation of an update. */
async function confirmed(db: Queryable, update: Update, { values }: DecodedFrame, now: Date): Promise<Update> {
  const { firmwareVersion } = values
  if (update.status !== 'CONFIRMING' || typeof firmwareVersion !== 'string') return update
  if (firmwareVersion === update.toVersion) {
    const confirmedPackets = (update.confirmedPackets ?? 0) + 1
    await recordProgress(db, update, { progressPct: null, bytesSent: null, confirmedPackets }, now)
    return { ...update, confirmedPackets }
  }
  const note = { code: 'OTHER_VERSION', values: { version: firmwareVersion } } as const
  return moveUpdate(db, update, { to: 'ROLLED_BACK', source: 'SERVER', note }, now)
}

const installing: ReadonlySet<string> = new Set<UpdateStatus>(['INSTALLING', 'REBOOTING'])

/**
 * Before the installation a restart has no meaning. A report of the new version completes the installation, whether
 * intermediate packets were lost or a technician installed it on site.
 */
const hasStarted = ({ status, toVersion }: Update, { type, values }: DecodedFrame) =>
  status !== 'CONFIRMING' && (values.firmwareVersion === toVersion || (type === 'BOOT' && installing.has(status)))

async function follow(db: Queryable, update: Update, frame: DecodedFrame, now: Date): Promise<Update> {
  const next = hasStarted(update, frame) ? await started(db, update, now) : update
  return confirmed(db, next, frame, now)
}

const isOpen = (update: Update | undefined): update is Update =>
  update !== undefined && !update.finishedAt && update.status !== 'SCHEDULED'

const newsOf = (frames: IngestedBatch['frames']) => frames.filter(({ decoded }) => isNews(decoded))

/** Tracks the update of a board by its frames. */
async function observeUpdate(db: Queryable, { receivedAt, frames }: IngestedBatch, open: Update | undefined): Promise<void> {
  let update = open
  for (const frame of newsOf(frames)) {
    if (frame.decoded.type === 'FW_PROGRESS')
      update = await progressed(db, isOpen(update) ? update : undefined, frame, receivedAt)
    else if (isOpen(update)) update = await follow(db, update, frame.decoded, receivedAt)
  }
}

/** Tracks updates by the frames of their boards. */
export const observeUpdates: FrameObserver = async (db, group) => {
  const told = group.filter(({ frames }) => newsOf(frames).length > 0)
  if (told.length === 0) return
  const ids = told.map(({ board }) => board.controlPcbId)
  const updates = new Map((await openUpdatesOf(db, ids)).map((update) => [update.controlPcbId, update]))
  for (const batch of told) await observeUpdate(db, batch, updates.get(batch.board.controlPcbId))
}
