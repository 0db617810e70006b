import { uuidv7 } from 'uuidv7'
import type { Place } from '#server/fleet/warning/announce-warnings.ts'
import type { Finding, OpenWarning } from '#server/fleet/warning/evaluate.ts'
import { endedGrade, type Graded, gradeAfter, isRise } from './warning-grade.ts'

/** Time of a change: `at` by the board's clock, never later than `now`. The server's own findings use now. */
export type ChangeTime = { at: Date; now: Date }

/** Evidence of a finding: packet, sample and maintenance. */
export type Evidence = { packageId: string | null; snapshot: Readonly<Record<string, unknown>> | null; suppressed: boolean }

/** Last observation of the condition of an open warning, with a value that is worse than any before. */
export type Observed = Pick<OpenWarning, 'code' | 'subject'> & { at: Date; value: number | null; threshold: number | null }

/** Columns of a warning that its course changes. */
export type WarningRow = Graded &
  Place & {
    id: string
    version: number
    subject: string | null
    trip: boolean
    latched: boolean
    active: boolean
    acknowledged: boolean
    flapping: boolean
    suppressed: boolean
    occurrences: number
    startedAt: Date
    raisedAt: Date
    lastSeenAt: Date
    worstAt: Date | null
    clearedAt: Date | null
    clearedBy: string | null
    snoozedUntil: Date | null
    snoozedBy: string | null
    snoozeReason: string | null
    waitsSince: Date | null
    updatedAt: Date
  }

/** Columns that a warning has from its beginning. */
export type NewRow = WarningRow & {
  source: Finding['source']
  unit: string | null
  createdAt: Date
  packageId: string | null
  snapshot: Evidence['snapshot']
  comments: readonly []
}

export const changedColumns = [
  'version',
  'subject',
  'trip',
  'latched',
  'active',
  'acknowledged',
  'flapping',
  'suppressed',
  'occurrences',
  'raisedAt',
  'lastSeenAt',
  'severity',
  'value',
  'threshold',
  'worseSeverity',
  'worseValue',
  'worseThreshold',
  'worstAt',
  'clearedAt',
  'clearedBy',
  'snoozedUntil',
  'snoozedBy',
  'snoozeReason',
  'waitsSince',
  'updatedAt',
] as const satisfies readonly (keyof WarningRow)[]

/** A warning that needs attention from now on, and is not snoozed. */
const woken = (now: Date) => ({ snoozedUntil: null, snoozedBy: null, snoozeReason: null, waitsSince: now })

const later = (one: Date, other: Date | null) => (other && other > one ? other : one)

type Beginning = Evidence & { place: Place; flapping: boolean }

/** The condition is new. */
export function begun(finding: Finding, { at, now }: ChangeTime, { place, ...facts }: Beginning): NewRow {
  const { sinceMs, unit, ...found } = finding
  return {
    ...found,
    ...facts,
    ...place,
    id: uuidv7(),
    version: 1,
    unit: unit || null,
    startedAt: new Date(sinceMs),
    raisedAt: now,
    lastSeenAt: at,
    createdAt: now,
    updatedAt: now,
    occurrences: 1,
    active: true,
    acknowledged: false,
    comments: [],
    worseSeverity: null,
    worseValue: null,
    worseThreshold: null,
    worstAt: null,
    clearedAt: null,
    clearedBy: null,
    snoozedUntil: null,
    snoozedBy: null,
    snoozeReason: null,
    waitsSince: null,
  }
}

/** The same condition at another severity, or at a place that was not known. */
export function regraded(row: WarningRow, finding: Finding, { at, now }: ChangeTime): WarningRow {
  const rises = isRise(row, finding)
  return {
    ...row,
    ...(rises ? woken(now) : {}),
    ...gradeAfter(row, finding, at),
    latched: finding.latched,
    subject: finding.subject ?? row.subject,
    lastSeenAt: later(row.lastSeenAt, at),
    acknowledged: row.acknowledged && !rises,
    version: row.version + 1,
    updatedAt: now,
  }
}

/** `isAnew`: long after the former end, so nobody has seen or acknowledged it. */
export type Reopening = { flapping: boolean; suppressed: boolean; isAnew: boolean }

/** The condition is back. */
export function reopened(
  row: WarningRow,
  finding: Finding,
  { at, now }: ChangeTime,
  { isAnew, ...facts }: Reopening,
): WarningRow {
  return {
    ...row,
    ...woken(now),
    ...gradeAfter(row, finding, at),
    ...facts,
    active: true,
    clearedAt: null,
    clearedBy: null,
    occurrences: row.occurrences + 1,
    latched: finding.latched,
    subject: finding.subject ?? row.subject,
    raisedAt: isAnew ? now : row.raisedAt,
    lastSeenAt: at,
    acknowledged: row.acknowledged && !isAnew && !isRise(row, finding),
    version: row.version + 1,
    updatedAt: now,
  }
}

/** The condition is over; `seenAt`: the last time at which it held. */
export function ended(row: WarningRow, { at, now }: ChangeTime, seenAt: Date | null): WarningRow {
  return {
    ...row,
    ...endedGrade(row),
    active: false,
    clearedAt: at,
    lastSeenAt: later(row.lastSeenAt, seenAt),
    version: row.version + 1,
    updatedAt: now,
  }
}

const distance = (value: number | null, threshold: number | null) =>
  value === null || threshold === null ? undefined : Math.abs(value - threshold)

/** The condition was observed, and is shown with its worst value; no change of the record that anyone is told of. */
export function observed(row: WarningRow, { at, value, threshold }: Omit<Observed, 'code' | 'subject'>): WarningRow {
  const [own, other] = [distance(row.value, row.threshold), distance(value, threshold)]
  const isWorse = value !== null && (own === undefined || other === undefined || other > own)
  return { ...row, lastSeenAt: later(row.lastSeenAt, at), ...(isWorse ? { value, threshold } : {}) }
}

/** Identity of an open warning of a board. */
export const isOf =
  ({ code, subject }: Pick<OpenWarning, 'code' | 'subject'>) =>
  (row: WarningRow): boolean =>
    row.active && row.code === code && row.subject === subject
