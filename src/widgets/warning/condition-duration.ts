import type { Row } from '#fields/field-kind.ts'

/**
 * Duration of a warning's condition in seconds, up to now or its end. It starts with the condition, which may predate the
 * warning: a board may have been silent while no server ran.
 */
export function conditionDurationS({ startedAt, raisedAt, active, clearedAt }: Row, nowMs: number): number {
  const sinceMs = Date.parse(String(startedAt ?? raisedAt))
  const untilMs = active === true ? nowMs : Date.parse(String(clearedAt))
  return Math.max(0, Math.round((untilMs - sinceMs) / 1000))
}

const timeUnits: ReadonlySet<unknown> = new Set(['s', 'min', 'h'])

/**
 * A time that is held against no threshold is the length of the condition when the warning was raised. It is no measurement,
 * and it stays as it was while the condition lasts.
 */
export const isDurationWhenRaised = ({ unit, threshold }: Row): boolean => timeUnits.has(unit) && typeof threshold !== 'number'
