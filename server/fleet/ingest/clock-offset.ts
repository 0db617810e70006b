import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'

/** A frame that is no older than this came when it was made. */
const promptMs = 10_000

/**
 * Offset of a board's clock where it is proved: by the time that the board sent with, by a frame that is fresh or of the future, or
 * by one that is older than anything that is kept. Any other frame may have waited, and its age says nothing of the clock.
 */
export function provenOffsetMs(
  deviceTime: Date | null | undefined,
  receivedAt: Date,
  sentAtMs: number | undefined,
): number | undefined {
  if (sentAtMs !== undefined) return sentAtMs - receivedAt.getTime()
  if (!deviceTime) return undefined
  const offsetMs = deviceTime.getTime() - receivedAt.getTime()
  return offsetMs >= -promptMs || offsetMs < -keptMs.samples ? offsetMs : undefined
}
