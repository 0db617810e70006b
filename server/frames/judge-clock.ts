import { soundClockMs } from '#resources/fleet/clock-limits.ts'
import { dayMs } from '#schema/format/durations.ts'
import type { FrameContext, Reason } from './frame-decoder.ts'
import { stepTo } from './frame-order.ts'
import { makeReason } from './make-reason.ts'
import type { FrameHead, Payload } from './read-frame.ts'

const behindMs = 7 * dayMs
const firstSaneMs = Date.UTC(2020, 0, 1)
const clockPlace = { field: 'deviceTime', offset: 12, length: 4 }

export const rebootsOf = ({ values }: Payload) => (typeof values.rebootCount === 'number' ? values.rebootCount : undefined)

/** Late frames of many days may have any number; one this little ahead of the newest was made after it. */
const soonAfter = 1_000
const isSoonAfter = (seq: number, last: number | undefined) =>
  last !== undefined && stepTo(last, seq) > 0 && stepTo(last, seq) <= soonAfter

const isInRun = ({ memory }: FrameContext, payload: Payload) =>
  memory.rebootCount !== undefined && memory.rebootCount === rebootsOf(payload)

/** A sequence number shows that the clock went back since the newest frame. */
const hasGoneBack = ({ memory }: FrameContext, head: FrameHead) =>
  memory.timeMs !== undefined && head.deviceTime.getTime() < memory.timeMs && isSoonAfter(head.seq, memory.seq)

/**
 * Trusts the clock of a run (between two restarts) that was correct at its newest frame: earlier and later frames of the run
 * have correct times, unless the clock went back. After a restart a clock may resume at its saved time.
 */
function believedInRun(context: FrameContext, head: FrameHead, payload: Payload, behind: number): number {
  const { memory, keptSince } = context
  if (!isInRun(context, payload) || memory.timeMs === undefined || !keptSince) return behind
  return hasGoneBack(context, head) ? behind : Math.min(behind, keptSince.getTime())
}

/**
 * Doubts what a clock that is wrong now has dated, but not what it can not have dated: times that it has not reached are from
 * before it was set back, times before the newest frame of the run from when it was correct.
 */
function provenFault(head: FrameHead, payload: Payload, context: FrameContext): Reason | undefined {
  const { wrongAt, receivedAt, memory } = context
  const sent = head.deviceTime.getTime()
  // A frame has whole seconds.
  if (!wrongAt || sent > wrongAt.getTime() + 1_000) return undefined
  const isBefore = memory.timeMs !== undefined && sent < memory.timeMs
  if (isBefore && isInRun(context, payload) && !hasGoneBack(context, head)) return undefined
  const came = receivedAt.getTime()
  const [code, sign, limit] =
    wrongAt > receivedAt
      ? (['CLOCK_FUTURE', '≤', came + soundClockMs] as const)
      : (['CLOCK_PAST', '≥', came - soundClockMs] as const)
  const expected = `X-Sent-At ${sign} ${new Date(limit).toISOString()}`
  return makeReason(code, { ...clockPlace, expected, actual: wrongAt.toISOString() })
}

/** Doubt of a frame's time: one without a correct time is dated by its arrival. */
export function clockFault(head: FrameHead, payload: Payload, context: FrameContext): Reason | undefined {
  const { deviceTime } = head
  const [sent, came] = [deviceTime.getTime(), context.receivedAt.getTime()]
  const actual = deviceTime.toISOString()
  if (sent > came + soundClockMs) {
    const expected = `≤ ${new Date(came + soundClockMs).toISOString()}`
    return makeReason('CLOCK_FUTURE', { ...clockPlace, expected, actual })
  }
  const believed = context.believedSince?.getTime() ?? believedInRun(context, head, payload, came - behindMs)
  const earliest = Math.max(believed, firstSaneMs)
  if (sent >= earliest) return provenFault(head, payload, context)
  return makeReason('CLOCK_PAST', { ...clockPlace, expected: `≥ ${new Date(earliest).toISOString()}`, actual })
}
