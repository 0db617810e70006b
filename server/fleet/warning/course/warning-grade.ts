import { sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { Finding } from '#server/fleet/warning/evaluate.ts'
import { severityRank } from '#server/fleet/warning/sample-rules.ts'

type Measured = { value: number | null; threshold: number | null }

/** Severity of a warning with its value, and the worse one that it had before, if any. */
export type Graded = Measured & {
  code: string
  severity: Severity
  worseSeverity: Severity | null
  worseValue: number | null
  worseThreshold: number | null
}

export const gradeColumns = sql`"code", "severity", "value"::float8 as "value", "threshold"::float8 as "threshold", "worseSeverity",
  "worseValue"::float8 as "worseValue", "worseThreshold"::float8 as "worseThreshold"`

export const isRise = ({ severity }: Graded, finding: Finding): boolean =>
  severityRank[finding.severity] > severityRank[severity]

type Grade = Measured & { severity: Severity }

/** The worst that a warning was, now or before. */
const worstOf = ({ severity, value, threshold, worseSeverity, worseValue, worseThreshold }: Graded): Grade =>
  worseSeverity ? { severity: worseSeverity, value: worseValue, threshold: worseThreshold } : { severity, value, threshold }

const beyond = ({ value, threshold }: Measured) =>
  value === null || threshold === null ? Number.NEGATIVE_INFINITY : Math.abs(value - threshold)

const noneWorse = { worseSeverity: null, worseValue: null, worseThreshold: null }

/** Columns of a warning's severity. */
type GradeColumns = Omit<Graded, 'code'> & { trip: boolean; worstAt: Date | null }

/**
 * The severity after a finding. One that falls keeps what it was at its worst until it ends; one that rises to the same height
 * again keeps the worse value. A battery that has tripped has tripped for the whole warning.
 */
export function gradeAfter(
  known: Graded & { trip: boolean; worstAt: Date | null; startedAt: Date },
  finding: Finding,
  at: Date,
): GradeColumns {
  const worst = worstOf(known)
  const above = severityRank[finding.severity] - severityRank[worst.severity]
  const { value, threshold } = above === 0 && beyond(worst) > beyond(finding) ? worst : finding
  const now = { severity: finding.severity, trip: known.trip || finding.trip, value, threshold }
  if (above >= 0) return { ...now, ...noneWorse, worstAt: above > 0 ? at : known.worstAt }
  const worse = { worseSeverity: worst.severity, worseValue: worst.value, worseThreshold: worst.threshold }
  return { ...now, ...worse, worstAt: known.worstAt ?? known.startedAt }
}

/** An ended warning tells what it was at its worst. */
export const endedGrade = (known: Graded) => ({ ...worstOf(known), ...noneWorse })

/** Entry of a changed severity in the warning's history. */
export function gradeEntry(known: Graded & { id: string }, finding: Finding, at: Date) {
  const gradeOf = ({ severity, value, threshold }: Grade) => ({ severity, value, threshold })
  return {
    at,
    action: 'change-severity',
    entityType: 'telemetry-warning',
    entityId: known.id,
    code: known.code,
    before: gradeOf(known),
    after: gradeOf(finding),
  }
}
