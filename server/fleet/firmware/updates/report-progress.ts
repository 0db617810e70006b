import { updateFailures } from '#resources/shared/updates.ts'
import type { Queryable } from '#server/db/query.ts'
import { isOver, mayFollow, type UpdateFailure, type UpdateStatus } from '#server/fleet/firmware/update-state-machine.ts'
import type { Update } from './update-rows.ts'
import { type Move, moveUpdate, type Progress, recordProgress } from './update-store.ts'

/** Progress report of a board, in a frame or by a call. */
export type ProgressReport = { state: unknown; progressPct: unknown; receivedB: unknown; failure: unknown }

/** States that a board reports. Success, rollback and confirmation are not reported: the running version shows them. */
export const reportedStates = [
  'QUEUED',
  'DOWNLOADING',
  'VERIFYING',
  'INSTALLING',
  'REBOOTING',
  'FAILED',
  'CANCELED',
] as const satisfies readonly UpdateStatus[]

const mayReport = ({ status }: Update, state: UpdateStatus) =>
  status !== 'SCHEDULED' &&
  !isOver(status) &&
  (mayFollow(status, state, true) || (status === 'CANCELING' && state === 'INSTALLING'))

/** States that the board may report next. */
export const statesAfter = (update: Update): UpdateStatus[] => reportedStates.filter((state) => mayReport(update, state))

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const failureOf = (value: unknown): UpdateFailure | undefined =>
  typeof value === 'string' && Object.hasOwn(updateFailures, value) ? (value as UpdateFailure) : undefined

/** Effect of a report that is allowed: progress within the state, or a move to another one. */
type Effect = { progress: Progress; move?: never } | { move: Move; progress?: never }

/** Undefined when the transition is not allowed. */
export function effectOf(update: Update, report: ProgressReport): Effect | undefined {
  const [progressPct, bytesSent] = [numberOf(report.progressPct), numberOf(report.receivedB)]
  if (report.state === update.status) return { progress: { progressPct, bytesSent, confirmedPackets: null } }
  const state = reportedStates.find((name) => name === report.state)
  if (!state || !mayReport(update, state)) return undefined
  const failureCode = failureOf(report.failure)
  return {
    move: {
      to: state,
      source: 'BOARD',
      ...(progressPct === null ? {} : { progressPct }),
      ...(bytesSent === null ? {} : { bytesSent }),
      ...(failureCode ? { failureCode, note: { code: 'REPORTED', values: { failure: failureCode } } } : {}),
    },
  }
}

/** Applies a report. Undefined when the transition is not allowed; then nothing changes. */
export async function reportProgress(
  db: Queryable,
  update: Update,
  report: ProgressReport,
  now: Date,
): Promise<Update | undefined> {
  const effect = effectOf(update, report)
  if (!effect) return undefined
  if (effect.move) return moveUpdate(db, update, effect.move, now)
  return update.finishedAt ? update : recordProgress(db, update, effect.progress, now)
}
