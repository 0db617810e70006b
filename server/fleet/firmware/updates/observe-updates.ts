import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { UpdateStatus } from '#server/fleet/firmware/update-state-machine.ts'
import { hasNewData } from '#server/fleet/ingest/board-report.ts'
import type { FrameObserver, IngestedBatch } from '#server/fleet/ingest/ingest-frames.ts'
import type { StoredFrame } from '#server/fleet/ingest/store-packages.ts'
import type { DecodedFrame, Reason } from '#server/frames/frame-decoder.ts'
import { makeReason } from '#server/frames/make-reason.ts'
import { statesAfter } from './report-progress.ts'
import { UpdateCourse } from './update-course.ts'
import { openUpdatesOf, type Update } from './update-rows.ts'

/** A report that does not fit its update, with its packet. */
type Misfit = { packageId: string; reason: Reason }

function misfitOf({ id, decoded }: StoredFrame, update: Update | undefined): Misfit {
  const { updateId, state } = decoded.values
  const isOther = !update || updateId !== update.id
  const facts = isOther
    ? { field: 'updateId', expected: update?.id ?? 'no open update', actual: String(updateId) }
    : { field: 'state', expected: statesAfter(update).join(', ') || '–', actual: String(state) }
  return { packageId: id, reason: makeReason('UPDATE_STATE', facts) }
}

async function recordMisfits(db: Queryable, misfits: readonly Misfit[]): Promise<void> {
  if (misfits.length === 0) return
  const [ids, reasons] = [misfits.map(({ packageId }) => packageId), misfits.map(({ reason }) => JSON.stringify(reason))]
  await rowsOf(
    db,
    sql`update "package" "p" set "reasons" = "p"."reasons" || "u"."reason"::jsonb, "reason" = "p"."reason" || ("u"."reason"::jsonb->'code')
      from unnest(${sql.val(ids)}::text[], ${sql.val(reasons)}::text[]) as "u" ("id", "reason") where "p"."id" = "u"."id"`,
  )
}

/** Applies a progress report to its update; returns one that does not fit. */
async function progressed(course: UpdateCourse, frame: StoredFrame): Promise<Misfit | undefined> {
  const { updateId, state, progressPct, receivedB, failure } = frame.decoded.values
  const update = course.open
  const isOwn = update !== undefined && updateId === update.id
  const isAllowed = isOwn && (await course.report({ state, progressPct, receivedB, failure }))
  return isAllowed ? undefined : misfitOf(frame, update)
}

const installing: ReadonlySet<string> = new Set<UpdateStatus>(['INSTALLING', 'REBOOTING'])

/**
 * Before the installation a restart has no meaning. A report of the new version completes the installation, whether
 * intermediate packets were lost or a technician installed it on site.
 */
const hasStarted = ({ status, toVersion }: Update, { type, values }: DecodedFrame) =>
  status !== 'CONFIRMING' && (values.firmwareVersion === toVersion || (type === 'BOOT' && installing.has(status)))

/** Counts a valid packet towards the confirmation of an update; one of another version rolls it back. */
async function confirmed(course: UpdateCourse, { toVersion }: Update, version: string): Promise<void> {
  if (version === toVersion) course.progress({ confirmedPackets: course.confirmedPackets + 1 })
  else await course.move({ to: 'ROLLED_BACK', source: 'SERVER', note: { code: 'OTHER_VERSION', values: { version } } })
}

/** After a restart the running version decides the outcome. */
async function follow(course: UpdateCourse, frame: DecodedFrame): Promise<void> {
  if (course.open && hasStarted(course.open, frame))
    await course.move({ to: 'CONFIRMING', source: 'BOARD', note: { code: 'STARTED' }, progressPct: 100, confirmedPackets: 0 })
  const { firmwareVersion } = frame.values
  if (course.open?.status === 'CONFIRMING' && typeof firmwareVersion === 'string')
    await confirmed(course, course.open, firmwareVersion)
}

const newsOf = (frames: IngestedBatch['frames']) => frames.filter(({ decoded }) => hasNewData(decoded))

/** Tracks the update of a board by its frames; returns reports that do not fit it. */
async function observeUpdate(
  db: Queryable,
  { receivedAt, frames }: IngestedBatch,
  update: Update | undefined,
): Promise<Misfit[]> {
  const course = new UpdateCourse(db, update, receivedAt)
  const misfits: (Misfit | undefined)[] = []
  for (const frame of newsOf(frames)) {
    if (frame.decoded.type === 'FW_PROGRESS') misfits.push(await progressed(course, frame))
    else await follow(course, frame.decoded)
  }
  await course.write()
  return misfits.filter((misfit) => misfit !== undefined)
}

/** Tracks updates by the frames of their boards. */
export const observeUpdates: FrameObserver = async (db, group) => {
  const reporting = group.filter(({ frames }) => newsOf(frames).length > 0)
  if (reporting.length === 0) return
  const ids = reporting.map(({ board }) => board.controlPcbId)
  const updates = new Map((await openUpdatesOf(db, ids)).map((update) => [update.controlPcbId, update]))
  const misfits: Misfit[] = []
  for (const batch of reporting) misfits.push(...(await observeUpdate(db, batch, updates.get(batch.board.controlPcbId))))
  await recordMisfits(db, misfits)
}
