import type { Label } from '#schema/words.ts'
import type { Bounds, Level, Severity, SidedBounds } from './levels.ts'
import type { WarningCode } from './warning-codes.ts'

export type ThresholdLevel = Pick<Level, 'severity' | 'raise' | 'clear' | 'under'>
/** A condition must last for the delay. */
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

/** Above and below the centre of a range; whatever has one side only is `over`. */
export type Side = 'over' | 'under'
export const sidesOf = ({ under }: SidedBounds): readonly Side[] => (under ? ['over', 'under'] : ['over'])
export const boundsOn = (level: SidedBounds, side: Side): Bounds => (side === 'under' && level.under) || level

/** The place of a value in a level, as paths of faults have it. */
export type BoundPath = keyof Bounds | `under.${keyof Bounds}`
export const boundPath = (side: Side, part: keyof Bounds): BoundPath => (side === 'under' ? `under.${part}` : part)

export type LevelFault = { index: number; path: BoundPath; text: Label }

const unsafe: Label = ['It ends on the safe side of where it begins', 'Снимается с безопасной стороны от порога']
const unordered: Label = ['A worse level begins beyond the one before it', 'Более тяжёлый уровень начинается за предыдущим']

/** Of a range the distance counts, so there further is worse as it is above. */
const isWorse = (one: number, other: number, direction: ThresholdDirection) =>
  direction === 'below' ? one < other : one > other

/** On each of its sides a level ends on the safe side of where it begins, and a worse one begins beyond the one before it. */
export function levelFaults(direction: ThresholdDirection, levels: readonly ThresholdLevel[]): LevelFault[] {
  return levels.flatMap((level, index) => {
    const before = levels[index - 1]
    return sidesOf({ ...before, ...level }).flatMap((side): LevelFault[] => {
      const { raise, clear } = boundsOn(level, side)
      const isOrdered = !before || isWorse(raise, boundsOn(before, side).raise, direction)
      // A level without bounds of its own below is told of in those that hold on both sides.
      const pathOf = (part: keyof Bounds) => boundPath(level.under ? side : 'over', part)
      return [
        ...(isWorse(clear, raise, direction) ? [{ index, path: pathOf('clear'), text: unsafe }] : []),
        ...(isOrdered ? [] : [{ index, path: pathOf('raise'), text: unordered }]),
      ]
    })
  })
}
