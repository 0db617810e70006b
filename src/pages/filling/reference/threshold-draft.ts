import { levelFaults, type Threshold, type ThresholdLimit } from '#resources/fleet/warnings/threshold.ts'
import { dayS } from '#schema/format/durations.ts'
import type { Label } from '#schema/words.ts'
import { referenceWords } from './reference-words.ts'

/** Input texts of an edited threshold. */
export type Draft = { key: string; delayS: string; levels: readonly { raise: string; clear: string }[] }

const longestDelayS = 7 * dayS

export const draftOf = ({ key, delayS, levels }: Threshold): Draft => ({
  key,
  delayS: String(delayS),
  levels: levels.map(({ raise, clear }) => ({ raise: String(raise), clear: String(clear) })),
})

/** True when an input no longer has the text that it began with. */
export const isEdited = (draft: Draft, thresholds: readonly Threshold[]): boolean => {
  const threshold = thresholds.find(({ key }) => key === draft.key)
  return !threshold || JSON.stringify(draft) !== JSON.stringify(draftOf(threshold))
}

export const limitOf = ({ delayS, levels }: ThresholdLimit): ThresholdLimit => ({ delayS, levels })

/** A number with a decimal point or comma; undefined for anything else. */
const numberIn = (text: string): number | undefined =>
  /^[-−]?\d{1,6}([.,]\d{1,4})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.').replace('−', '-')) : undefined

type Read = { limit?: ThresholdLimit; faults: ReadonlyMap<string, Label> }

/** Parsed values of the inputs, or faults by input: `delayS`, `0.raise`. */
export function readDraft(threshold: Threshold, draft: Draft): Read {
  const faults = new Map<string, Label>()
  const delayS = numberIn(draft.delayS)
  if (delayS === undefined || !Number.isInteger(delayS) || delayS < 0 || delayS > longestDelayS)
    faults.set('delayS', referenceWords.seconds)
  const levels = threshold.levels.map(({ severity }, index) => {
    const [raise, clear] = [numberIn(draft.levels[index]?.raise ?? ''), numberIn(draft.levels[index]?.clear ?? '')]
    if (raise === undefined) faults.set(`${index}.raise`, referenceWords.number)
    if (clear === undefined) faults.set(`${index}.clear`, referenceWords.number)
    return { severity, raise: raise ?? 0, clear: clear ?? 0 }
  })
  if (faults.size > 0 || delayS === undefined) return { faults }
  for (const { index, part, text } of levelFaults(threshold.direction, levels)) faults.set(`${index}.${part}`, text)
  return faults.size > 0 ? { faults } : { faults, limit: { delayS, levels } }
}

export const isSame = (one: ThresholdLimit, other: ThresholdLimit): boolean =>
  JSON.stringify(limitOf(one)) === JSON.stringify(limitOf(other))
