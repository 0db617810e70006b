import { hourMs } from '#schema/format/durations.ts'
import type { DecodedFrame } from '#server/frames/frame-decoder.ts'
import type { WarningMemory } from './evaluate.ts'

export type Starts = Pick<WarningMemory, 'starts' | 'reboots'>

const mostStarts = 20

/**
 * Starts of a board within the hour before a frame. Each header has a reboot count, so a lost BOOT frame hides none; their
 * times are unknown, so they are spread over the time since the previous frame. Without a count, BOOT frames are used.
 */
export function startsAfter(
  { starts = [], reboots }: Starts,
  { type, values: { rebootCount } }: Pick<DecodedFrame, 'type' | 'values'>,
  { atMs, beforeMs }: { atMs: number; beforeMs: number },
): Starts {
  const counted = typeof rebootCount === 'number' ? rebootCount : undefined
  const rise = counted === undefined || reboots === undefined ? 0 : counted - reboots
  const fresh = Math.max(rise, type === 'BOOT' ? 1 : 0)
  const stepMs = Math.max(0, atMs - beforeMs) / Math.max(1, fresh)
  const times = Array.from({ length: Math.min(fresh, mostStarts) }, (_, index) => Math.round(atMs - index * stepMs))
  const kept = [...starts, ...times.toReversed()].filter((startMs) => startMs > atMs - hourMs && startMs <= atMs)
  const known = counted ?? reboots
  return {
    ...(kept.length > 0 ? { starts: kept.slice(-mostStarts) } : {}),
    ...(known === undefined ? {} : { reboots: known }),
  }
}
