import type { Label } from '#schema/words.ts'
import type { Level, Severity } from './levels.ts'
import type { WarningCode } from './warning-codes.ts'

export type ThresholdLevel = Pick<Level, 'severity' | 'raise' | 'clear'>
/** From `raise` on a level holds, until the value is back at `clear`; a condition must last for the delay. */
export type ThresholdLimit = { delayS: number; levels: readonly ThresholdLevel[] }
/** The higher the worse, the lower the worse, or the further from somewhere the worse. */
export type ThresholdDirection = 'above' | 'below' | 'around'

/** A threshold of the fleet with the standard; `version` 0 = never changed. */
export type Threshold = ThresholdLimit & {
  key: string
  code: WarningCode
  title: Label
  chemistry: string | null
  unit: string
  direction: ThresholdDirection
  /** Center of a range; null for other thresholds. */
  around: number | null
  standard: ThresholdLimit
  version: number
  updatedAt: string | null
  updatedBy: string | null
}

type Place = { id: string; code: string }

/** Effect of other limits on the newest samples: warnings that begin, end or change severity. */
export type ThresholdEffect = {
  /** Boards with the value in their newest sample. */
  boards: number
  begin: number
  end: number
  change: number
  /** The first of them, the most severe ahead. */
  examples: readonly {
    board: Place
    ess: Place | null
    value: number
    from: Severity | null
    to: Severity | null
  }[]
}

export type LevelFault = { index: number; part: 'raise' | 'clear'; text: Label }

const unsafe: Label = ['It ends on the safe side of where it begins', 'Снимается с безопасной стороны от порога']
const unordered: Label = ['A worse level begins beyond the one before it', 'Более тяжёлый уровень начинается за предыдущим']

/** Of a range the distance counts, so there further is worse as it is above. */
const isWorse = (one: number, other: number, direction: ThresholdDirection) =>
  direction === 'below' ? one < other : one > other

/** A level ends on its safe side, and a worse one begins beyond the one before it. */
export function levelFaults(direction: ThresholdDirection, levels: readonly ThresholdLevel[]): LevelFault[] {
  return levels.flatMap((level, index): LevelFault[] => {
    const before = levels[index - 1]
    return [
      ...(isWorse(level.clear, level.raise, direction) ? [{ index, part: 'clear' as const, text: unsafe }] : []),
      ...(before && !isWorse(level.raise, before.raise, direction) ? [{ index, part: 'raise' as const, text: unordered }] : []),
    ]
  })
}
