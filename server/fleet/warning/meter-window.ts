import { hourMs, minuteMs } from '#schema/format/durations.ts'
import type { WarningMemory } from './evaluate.ts'
import { identityOff } from './measures.ts'
import type { RuleFacts } from './rule-facts.ts'

/** Sampling interval of the window: twelve values an hour are enough. */
const everyMs = 5 * minuteMs

/**
 * Median window: how far the meters of a site were off within the last hour, sparse and with this sample. A load that is switched between
 * the readings of two meters is one wrong value, and no contradiction. Of a board that reports seldom the last few values are kept.
 */
export function metersAfter(
  { meters = [] }: Pick<WarningMemory, 'meters'>,
  facts: RuleFacts,
  { atMs, silenceMs }: { atMs: number; silenceMs: number },
): Pick<WarningMemory, 'meters'> {
  const windowMs = Math.max(hourMs, silenceMs)
  const fresh = meters.filter(({ seenMs }) => seenMs <= atMs && atMs - seenMs <= windowMs)
  const offPct = identityOff(facts)
  const isDue = offPct !== undefined && atMs - (fresh.at(-1)?.seenMs ?? Number.NEGATIVE_INFINITY) >= everyMs
  const known = isDue ? [...fresh, { seenMs: atMs, offPct: Math.round(offPct * 10) / 10 }] : fresh
  return known.length > 0 ? { meters: known } : {}
}
