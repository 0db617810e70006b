import { setClockOffset } from '#schema/format/present-time.ts'

/** The Date header has whole seconds: on average the true time is half a second later. */
const headerMiddleMs = 500
const toleranceMs = 2_000

function skewBy(knownMs: number, dateHeader: unknown, nowMs: number): number {
  const serverMs = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN
  if (Number.isNaN(serverMs)) return knownMs
  const skewMs = serverMs + headerMiddleMs - nowMs
  return Math.abs(skewMs - knownMs) > toleranceMs ? skewMs : knownMs
}

/**
 * Clock skew in ms by the Date header of an answer; what is shown is dated by it, too. A change below 2 s is ignored, so that rounding
 * and latency do not move it.
 */
export function correctSkew(knownMs: number, dateHeader: unknown, nowMs: number): number {
  const skewMs = skewBy(knownMs, dateHeader, nowMs)
  setClockOffset(skewMs)
  return skewMs
}
