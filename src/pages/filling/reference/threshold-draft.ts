import type { Bounds } from '#resources/fleet/warnings/levels.ts'
import {
  boundPath,
  levelFaults,
  type Side,
  type Threshold,
  type ThresholdLevel,
  type ThresholdLimit,
} from '#resources/fleet/warnings/threshold.ts'
import { dayS } from '#schema/format/durations.ts'
import type { Label } from '#schema/words.ts'
import { referenceWords } from './reference-words.ts'

type BoundTexts = Readonly<Record<keyof Bounds, string>>
/** Input texts of an edited threshold, of each level by side. */
export type Draft = { key: string; delayS: string; levels: readonly Partial<Record<Side, BoundTexts>>[] }

const longestDelayS = 7 * dayS

const textsOf = ({ raise, clear }: Bounds): BoundTexts => ({ raise: String(raise), clear: String(clear) })

export const draftOf = ({ key, delayS, levels }: Threshold): Draft => ({
  key,
  delayS: String(delayS),
  levels: levels.map((level) => ({ over: textsOf(level), ...(level.under ? { under: textsOf(level.under) } : {}) })),
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

/** Parsed values of the inputs, or faults by input: `delayS`, `0.raise`, `0.under.raise`. */
export function readDraft(threshold: Threshold, draft: Draft): Read {
  const faults = new Map<string, Label>()
  const delayS = numberIn(draft.delayS)
  if (delayS === undefined || !Number.isInteger(delayS) || delayS < 0 || delayS > longestDelayS)
    faults.set('delayS', referenceWords.seconds)
  const levels = threshold.levels.map(({ severity }, index): ThresholdLevel => {
    const read = (side: Side, part: keyof Bounds): number => {
      const value = numberIn(draft.levels[index]?.[side]?.[part] ?? '')
      if (value === undefined) faults.set(`${index}.${boundPath(side, part)}`, referenceWords.number)
      return value ?? 0
    }
    const bounds = (side: Side): Bounds => ({ raise: read(side, 'raise'), clear: read(side, 'clear') })
    return { severity, ...bounds('over'), ...(draft.levels[index]?.under ? { under: bounds('under') } : {}) }
  })
  if (faults.size > 0 || delayS === undefined) return { faults }
  for (const { index, path, text } of levelFaults(threshold.direction, levels)) faults.set(`${index}.${path}`, text)
  return faults.size > 0 ? { faults } : { faults, limit: { delayS, levels } }
}

export const isSame = (one: ThresholdLimit, other: ThresholdLimit): boolean =>
  JSON.stringify(limitOf(one)) === JSON.stringify(limitOf(other))
