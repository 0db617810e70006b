import { sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { Queryable } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
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

const noneWorse = sql`"worseSeverity" = null, "worseValue" = null, "worseThreshold" = null`

/**
 * The severity by a finding, as SQL. One that falls keeps what it was at its worst until it ends; one that rises to the same height
 * again keeps the worse value. A battery that has tripped has tripped for the whole warning.
 */
export function gradeSetters(known: Graded, finding: Finding, at: Date) {
  const worst = worstOf(known)
  const above = severityRank[finding.severity] - severityRank[worst.severity]
  const { value, threshold } = above === 0 && beyond(worst) > beyond(finding) ? worst : finding
  const now = sql`"severity" = ${finding.severity}, "trip" = "trip" or ${finding.trip}::bool, "value" = ${value}, "threshold" = ${threshold}`
  if (above >= 0) return sql`${now}, ${noneWorse}, "worstAt" = ${above > 0 ? sql`${at}::timestamptz` : sql`"worstAt"`}`
  return sql`${now}, "worseSeverity" = ${worst.severity}, "worseValue" = ${worst.value}, "worseThreshold" = ${worst.threshold},
    "worstAt" = coalesce("worstAt", "startedAt")`
}

/** An ended warning tells what it was at its worst, as SQL. */
export const endSetters = sql`"severity" = coalesce("worseSeverity", "severity"),
  "value" = case when "worseSeverity" is null then "value" else "worseValue" end,
  "threshold" = case when "worseSeverity" is null then "threshold" else "worseThreshold" end, ${noneWorse}`

/** Writes a changed severity into the warning's history. */
export async function recordGrade(db: Queryable, known: Graded & { id: string }, finding: Finding, at: Date): Promise<void> {
  if (finding.severity === known.severity) return
  const gradeOf = ({ severity, value, threshold }: Grade) => ({ severity, value, threshold })
  await addServerAudit(db, {
    at,
    action: 'change-severity',
    entityType: 'telemetry-warning',
    entityId: known.id,
    code: known.code,
    before: gradeOf(known),
    after: gradeOf(finding),
  })
}
