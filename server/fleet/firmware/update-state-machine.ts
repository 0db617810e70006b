import { sql } from 'kysely'
import type { updateFailures } from '#resources/shared/updates.ts'
import { failedStates, updateStates } from '#resources/shared/updates.ts'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'

export type UpdateStatus = keyof typeof updateStates
export type UpdateFailure = keyof typeof updateFailures

/**
 * Timeout transition of a state. `idleMs`: maximum time without progress. `reports`: minimum in report intervals, because a
 * board may be silent in between. `isFinal`: the board may be lost, so only a person may retry.
 */
type Deadline = {
  ms: number
  idleMs?: number
  reports?: number
  next: UpdateStatus
  failureCode?: UpdateFailure
  isFinal?: true
}

/** Timeouts of states in milliseconds. SCHEDULED ends at its time. */
export const deadlines: Partial<Record<UpdateStatus, Deadline>> = {
  QUEUED: { ms: 7 * dayMs, next: 'EXPIRED', failureCode: 'OFFLINE' },
  DOWNLOADING: { ms: hourMs, idleMs: 10 * minuteMs, reports: 2, next: 'EXPIRED', failureCode: 'TIMEOUT' },
  VERIFYING: { ms: 5 * minuteMs, reports: 2, next: 'FAILED', failureCode: 'TIMEOUT' },
  INSTALLING: { ms: 10 * minuteMs, reports: 2, next: 'EXPIRED', failureCode: 'TIMEOUT', isFinal: true },
  REBOOTING: { ms: 10 * minuteMs, reports: 2, next: 'EXPIRED', failureCode: 'TIMEOUT', isFinal: true },
  CONFIRMING: { ms: 30 * minuteMs, reports: 4, next: 'EXPIRED', failureCode: 'TIMEOUT', isFinal: true },
  CANCELING: { ms: 10 * minuteMs, reports: 2, next: 'CANCELED', failureCode: 'USER' },
}

/** CONFIRMING succeeds after this many valid packets of the new version, and this time without a new critical warning. */
export const confirmation = { packets: 3, quietMs: 10 * minuteMs } as const

const firstRetryMs = 10 * minuteMs
/** Exponential back-off before an attempt: 10, 20, 40 minutes. */
export const retryDelayMs = (attempt: number): number => firstRetryMs * 2 ** Math.max(0, attempt - 2)

export const retriedFailures: ReadonlySet<string> = new Set<UpdateFailure>(['OFFLINE', 'CHECKSUM', 'TIMEOUT'])

const nextOf = (status: UpdateStatus): readonly UpdateStatus[] => {
  const state = updateStates[status]
  return 'next' in state ? state.next : []
}

const notBegun: ReadonlySet<string> = new Set<UpdateStatus>(['SCHEDULED', 'QUEUED'])

/** A pending update is cancelled at once; a running one asks the board. */
export const canceledTo = (status: UpdateStatus): UpdateStatus => (notBegun.has(status) ? 'CANCELED' : 'CANCELING')

const failed: ReadonlySet<string> = new Set(failedStates)
export const isFailed = (status: string): boolean => failed.has(status)
const listOf = (statuses: readonly string[]) => sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`
export const failedList = listOf(failedStates)

/** States in which the board changes its firmware: the outcome is still open. */
export const changingList = listOf(['INSTALLING', 'REBOOTING', 'CONFIRMING'] satisfies UpdateStatus[])

export const isOver = (status: UpdateStatus): boolean => nextOf(status).length === 0

const course: readonly UpdateStatus[] = ['QUEUED', 'DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING', 'CONFIRMING']

/** True when a transition is allowed. Board reports may skip states, since a packet in between may be lost. */
export function mayFollow(from: UpdateStatus, to: UpdateStatus, isReport = false): boolean {
  if (nextOf(from).includes(to)) return true
  const [at, target] = [course.indexOf(from), course.indexOf(to)]
  if (!isReport || at < 0) return false
  return target < 0 ? course.slice(at).some((state) => nextOf(state).includes(to)) : target > at
}

const usualIntervalS = 60

type Lasting = { since: Date; progressAt?: Date; scheduledAt?: Date | null; reportIntervalS?: number }

/** Deadline of a state, from its start and the last progress. */
export function deadlineOf(status: UpdateStatus, lasting: Lasting): Date | null {
  const { since, progressAt = since, scheduledAt = null, reportIntervalS = usualIntervalS } = lasting
  if (status === 'SCHEDULED') return scheduledAt
  const deadline = deadlines[status]
  if (!deadline) return null
  const leastMs = (deadline.reports ?? 0) * reportIntervalS * 1000
  const whole = since.getTime() + Math.max(deadline.ms, leastMs)
  return new Date(deadline.idleMs ? Math.min(whole, progressAt.getTime() + Math.max(deadline.idleMs, leastMs)) : whole)
}
