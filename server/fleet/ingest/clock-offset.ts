import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'

/** A frame of at most this age was sent when it was made. */
const promptMs = 10_000

/**
 * Proven offset of a board's clock: by the send time of the request, by a fresh frame or one from the future, or by one older
 * than all retained data. Any other frame may have been buffered, so its age proves nothing.
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
