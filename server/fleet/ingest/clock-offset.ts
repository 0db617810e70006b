import { soundClockMs } from '#resources/fleet/clock-limits.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import type { FrameContext } from '#server/frames/frame-decoder.ts'
import type { Body } from './read-body.ts'
import type { Arrival } from './store-packages.ts'

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

/** True when a board's clock is correct, by its send time or its newest frame: buffered frames then have correct times. */
export function isSoundClock(
  sentAtMs: number | undefined,
  frameTimes: readonly (Date | undefined)[],
  receivedAt: Date,
): boolean {
  const times = sentAtMs === undefined ? frameTimes.map((time) => time?.getTime()) : [sentAtMs]
  return times.some((timeMs) => timeMs !== undefined && Math.abs(timeMs - receivedAt.getTime()) <= soundClockMs)
}

type Sent = Pick<Body, 'sentAtMs' | 'receivedAt' | 'piece'> & { arrivals: readonly Arrival[]; keptSince: Date }

/** Clock facts of a request, by which all its frames are dated. */
export type ClockFacts = Pick<FrameContext, 'receivedAt' | 'believedSince' | 'wrongAt' | 'keptSince'>

export function clockFactsOf({ sentAtMs, receivedAt, piece, arrivals, keptSince }: Sent): ClockFacts {
  const times = () => arrivals.map(({ identity }) => identity?.deviceTime)
  const isSound = piece?.isClockSound ?? isSoundClock(sentAtMs, times(), receivedAt)
  if (isSound) return { receivedAt, believedSince: keptSince, keptSince }
  return { receivedAt, wrongAt: sentAtMs === undefined ? undefined : new Date(sentAtMs), keptSince }
}
