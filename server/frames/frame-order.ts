import { minuteMs } from '#schema/format/durations.ts'
import type { BoardMemory, FrameContext, Gap, Reason } from './frame-decoder.ts'
import { makeReason } from './make-reason.ts'
import type { FrameHead } from './read-frame.ts'

const seqPlace = { field: 'seq', offset: 4, length: 2 }
/** A corrected clock may go back by up to this. */
const setBackMs = 5 * minuteMs
/** Bounds the stored gaps per board. */
const mostGaps = 8

type Place = Pick<FrameHead, 'seq' | 'type'> & { rebootCount: number | undefined; timeMs: number | undefined }

/** `memory`: the changed state. */
type Order = { gapBefore: number | null; isLate: boolean; reasons: Reason[]; missedAt?: Date; memory: Partial<BoardMemory> }

/** Sequence numbers wrap at 65 536; up to half of the range counts as ahead. */
export const stepTo = (from: number, to: number) => (to - from) & 0xffff
const isForward = (step: number) => step > 0 && step < 0x8000

/** A restart by the reboot count: 1 forward, -1 backward or reset, 0 none or unknown. */
function restartOf({ rebootCount }: Place, memory: BoardMemory): -1 | 0 | 1 {
  if (rebootCount === undefined || memory.rebootCount === undefined || rebootCount === memory.rebootCount) return 0
  return isForward(stepTo(memory.rebootCount, rebootCount)) ? 1 : -1
}

function lateOrder({ seq, timeMs = 0 }: Place, memory: BoardMemory & { seq: number }): Order {
  const facts = { expected: `> ${memory.seq}`, actual: `${seq}` }
  const reasons = [makeReason('OUT_OF_ORDER', { ...seqPlace, ...facts })]
  const isOf = ({ seq: first, size, fromMs, toMs }: Gap) => stepTo(first, seq) < size && timeMs >= fromMs && timeMs <= toMs
  const gap = memory.gaps?.find(isOf)
  const late = { gapBefore: null, isLate: true, reasons }
  if (!gap) return { ...late, memory: {} }
  const gaps =
    memory.gaps?.map((one) => (one === gap ? { ...one, left: one.left - 1 } : one)).filter(({ left }) => left > 0) ?? []
  return { ...late, missedAt: new Date(gap.missedAt), memory: { gaps } }
}

/**
 * Position of a frame among those received. A restarted board may start at any number; a frame without a correct time has no
 * position.
 */
export function orderOf(place: Place, { memory, receivedAt }: FrameContext): Order {
  const { seq, type, rebootCount, timeMs } = place
  if (timeMs === undefined) return { gapBefore: null, isLate: false, reasons: [], memory: {} }
  const known = { seq, ...(rebootCount === undefined ? {} : { rebootCount }) }
  const { seq: last, timeMs: lastMs = 0 } = memory
  if (last === undefined) return { gapBefore: null, isLate: false, reasons: [], memory: known }
  const step = stepTo(last, seq)
  const restart = restartOf(place, memory)
  const isOlder = timeMs <= lastMs
  const isBehind = !isForward(step) || (restart < 0 && timeMs < lastMs) || lastMs - timeMs > setBackMs
  if (isOlder && isBehind && restart <= 0) return lateOrder(place, { ...memory, seq: last })
  const hasRestarted = type === 'BOOT' || restart !== 0 || !isForward(step)
  const gapBefore = hasRestarted ? 0 : step - 1
  if (gapBefore === 0) return { gapBefore, isLate: false, reasons: [], memory: known }
  const facts = { expected: `${(last + 1) & 0xffff}`, actual: `${seq} (${gapBefore} missing)` }
  // As many of them came damaged, and are not missed.
  const left = gapBefore - Math.min(gapBefore, memory.damaged ?? 0)
  const gap = {
    seq: (last + 1) & 0xffff,
    size: gapBefore,
    left,
    fromMs: lastMs,
    toMs: timeMs,
    missedAt: receivedAt.getTime(),
  }
  const gaps = [...(memory.gaps ?? []), ...(left > 0 ? [gap] : [])].slice(-mostGaps)
  return { gapBefore, isLate: false, reasons: [makeReason('SEQ_GAP', { ...seqPlace, ...facts })], memory: { ...known, gaps } }
}
