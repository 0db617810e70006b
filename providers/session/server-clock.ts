/** The Date header has whole seconds: on average the moment was half a second later. */
const headerMiddleMs = 500
const toleranceMs = 2_000

/**
 * How far the server's clock is ahead of ours, in ms, by the Date header of an answer. Keeps the known value while it is right
 * within 2 s, so that the rounding and the way back do not move it all the time.
 */
export function correctSkew(knownMs: number, dateHeader: unknown, nowMs: number): number {
  const serverMs = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN
  if (Number.isNaN(serverMs)) return knownMs
  const skewMs = serverMs + headerMiddleMs - nowMs
  return Math.abs(skewMs - knownMs) > toleranceMs ? skewMs : knownMs
}
