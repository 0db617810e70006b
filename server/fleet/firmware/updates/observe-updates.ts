import { updateFailures } from '#resources/shared/updates.ts'
import type { Queryable } from '#server/db/query.ts'
import type { FrameObserver } from '#server/fleet/ingest/ingest-frames.ts'
import type { StoredFrame } from '#server/fleet/ingest/store-packages.ts'
import type { DecodedFrame } from '#server/frames/frame-decoder.ts'
import { isUpdateStatus, mayFollow, type UpdateFailure } from './update-course.ts'
import { moveUpdate, noteProgress, openUpdateOf, type Update } from './update-store.ts'

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const failureOf = (value: unknown): UpdateFailure | undefined =>
  typeof value === 'string' && Object.hasOwn(updateFailures, value) ? (value as UpdateFailure) : undefined

/** Applies a progress report; a report that does not fit the state of the update is ignored. */
async function progressed(db: Queryable, update: Update, { values }: DecodedFrame, now: Date): Promise<Update> {
  const { updateId, state, progressPct, receivedB, failure } = values
  if (updateId !== update.id || !isUpdateStatus(state)) return update
  const news = { progressPct: numberOf(progressPct), bytesSent: numberOf(receivedB) }
  if (state === update.status) {
    await noteProgress(db, update, { ...news, confirmedPackets: null }, now)
    return update
  }
  // A board does not report success or rollback: its running version shows it.
  if (state === 'SUCCEEDED' || state === 'ROLLED_BACK' || state === 'CONFIRMING') return update
  const isLateCancel = update.status === 'CANCELING' && state === 'INSTALLING'
  if (!mayFollow(update.status, state, true) && !isLateCancel) return update
  const failureCode = failureOf(failure)
  return moveUpdate(
    db,
    update,
    {
      to: state,
      source: 'BOARD',
      ...(news.progressPct === null ? {} : { progressPct: news.progressPct }),
      ...(news.bytesSent === null ? {} : { bytesSent: news.bytesSent }),
      ...(failureCode ? { failureCode, note: { code: 'REPORTED', values: { failure: failureCode } } } : {}),
    },
    now,
  )
}

/** After a restart the running version decides. Before installation a restart means nothing. */
async function started(db: Queryable, update: Update, now: Date): Promise<Update> {
  if (update.status !== 'REBOOTING' && update.status !== 'INSTALLING') return update
  return moveUpdate(
    db,
    update,
    { to: 'CONFIRMING', source: 'BOARD', note: { code: 'STARTED' }, progressPct: 100, confirmedPackets: 0 },
    now,
  )
}

/** A valid packet of a board whose update is to be confirmed. */
async function confirmed(db: Queryable, update: Update, { values }: DecodedFrame, now: Date): Promise<Update> {
  const { firmwareVersion } = values
  if (update.status !== 'CONFIRMING' || typeof firmwareVersion !== 'string') return update
  if (firmwareVersion === update.toVersion) {
    const confirmedPackets = (update.confirmedPackets ?? 0) + 1
    await noteProgress(db, update, { progressPct: null, bytesSent: null, confirmedPackets }, now)
    return { ...update, confirmedPackets }
  }
  const note = { code: 'OTHER_VERSION', values: { version: firmwareVersion } } as const
  return moveUpdate(db, update, { to: 'ROLLED_BACK', source: 'SERVER', note }, now)
}

const isNews = ({ decoded: { status, reasons } }: StoredFrame) =>
  status !== 'INVALID' && !reasons.some(({ code }) => code === 'OUT_OF_ORDER')

async function follow(db: Queryable, update: Update, frame: DecodedFrame, now: Date): Promise<Update> {
  if (frame.type === 'FW_PROGRESS') return progressed(db, update, frame, now)
  // The packet of the restart may be lost; the new version shows it as well.
  const hasStarted = frame.type === 'BOOT' || frame.values.firmwareVersion === update.toVersion
  const next = hasStarted ? await started(db, update, now) : update
  return confirmed(db, next, frame, now)
}

/** Follows the updates of boards by what they send. */
export const observeUpdates: FrameObserver = async (db, { board, receivedAt, frames }) => {
  const news = frames.filter(isNews)
  if (news.length === 0) return
  let update = await openUpdateOf(db, board.controlPcbId)
  for (const { decoded } of news) {
    if (!update || update.finishedAt || update.status === 'SCHEDULED') return
    update = await follow(db, update, decoded, receivedAt)
  }
}
