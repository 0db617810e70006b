import type { Row } from '#fields/field-kind.ts'

/**
 * Seconds that the condition of a warning has lasted, up to now or to its end. It counts from its beginning, which may lie long
 * before the warning was raised: a board that was silent while nobody looked.
 */
export function lastedS({ startedAt, raisedAt, active, clearedAt }: Row, nowMs: number): number {
  const sinceMs = Date.parse(String(startedAt ?? raisedAt))
  const untilMs = active === true ? nowMs : Date.parse(String(clearedAt))
  return Math.max(0, Math.round((untilMs - sinceMs) / 1000))
}
