import type { Channel } from '#resources/fleet/channel-of.ts'
import {
  type Bounds,
  critical,
  info,
  type Level,
  type Severity,
  warning,
  withBounds,
} from '#resources/fleet/warnings/levels.ts'
import { boundsOn } from '#resources/fleet/warnings/threshold.ts'
import {
  type FlagCode,
  flagCodes,
  hasBit,
  type ThresholdCode,
  thresholdCodes,
  type WarningCode,
} from '#resources/fleet/warnings/warning-codes.ts'
import { type Direction, warnings } from '#resources/fleet/warnings/warnings.ts'
import { levelsFor } from './limits/limits.ts'
import { isCalm, isCharging, isOffGrid, measures, nominals } from './measures.ts'
import { numberIn, type RuleFacts } from './rule-facts.ts'

export type SampleRule = {
  code: WarningCode
  source: 'BOARD' | 'SERVER'
  direction: Direction
  /** Site-specific centre of the range. */
  nominal?: (facts: RuleFacts) => number
  unit: string
  /** Undefined: the sample has no statement, and nothing changes. */
  measure: (facts: RuleFacts) => number | undefined
  /** When false, a value keeps or ends a warning, but none starts or worsens. */
  begins?: (facts: RuleFacts) => boolean
  /** Lowest level first. */
  levels: (facts: RuleFacts) => readonly Level[]
  delayS: number
  subject?: Channel
}

type ThresholdFacts = {
  by?: 'SERVER'
  channel?: Channel
  scale?: number
  subject?: Channel
  threshold: { direction: Direction; unit: string; delayS: number }
}
const fixed =
  (...levels: readonly Level[]) =>
  () =>
    levels

const read =
  (name: Channel, scale = 1) =>
  (facts: RuleFacts) => {
    const value = numberIn(facts, name)
    return value === undefined ? undefined : value * scale
  }

const isMeasured = (code: ThresholdCode): code is keyof typeof measures => Object.hasOwn(measures, code)

/** Removes binary rounding errors: a value equal to its threshold has reached it. */
const exact = (value: number) => Math.round(value * 1e6) / 1e6

/** Decimals of a warning's value: the rest is noise of a division. */
export const shownMeasure = (value: number): number => Math.round(value * 100) / 100

const hasNominal = (code: ThresholdCode): code is keyof typeof nominals => Object.hasOwn(nominals, code)

/** The direction of a rule at a site. */
export const directionOf = ({ direction, nominal }: SampleRule, facts: RuleFacts): Direction =>
  typeof direction === 'object' && nominal ? { around: nominal(facts) } : direction

/** Levels around another centre keep their relative distance to it. */
function levelsAround(code: keyof typeof nominals, facts: RuleFacts): readonly Level[] {
  const share = nominals[code](facts) / warnings[code].threshold.direction.around
  if (share === 1) return levelsFor(code, facts)
  const scaled = ({ raise, clear }: Bounds): Bounds => ({ raise: exact(raise * share), clear: exact(clear * share) })
  return levelsFor(code, facts).map((level) =>
    withBounds(level, { ...scaled(level), ...(level.under ? { under: scaled(level.under) } : {}) }),
  )
}

/** Preconditions of a rule: `says`, for its value to have a meaning; `begins`, for it to start. */
type Circumstances = { says?: (facts: RuleFacts) => boolean; begins?: (facts: RuleFacts) => boolean }
const circumstances: Partial<Record<ThresholdCode, Circumstances>> = {
  CELL_IMBALANCE: { says: isCalm },
  UNDER_TEMP: { begins: isCharging },
}

function thresholdRule(code: ThresholdCode): SampleRule {
  const row: ThresholdFacts = warnings[code]
  const { direction, unit, delayS } = row.threshold
  const { says, begins } = circumstances[code] ?? {}
  const measure = isMeasured(code) ? measures[code] : row.channel ? read(row.channel, row.scale) : () => undefined
  return {
    code,
    source: row.by ?? 'BOARD',
    direction,
    unit,
    measure: says ? (facts) => (says(facts) ? measure(facts) : undefined) : measure,
    levels: (facts) => (hasNominal(code) ? levelsAround(code, facts) : levelsFor(code, facts)),
    delayS,
    ...(hasNominal(code) ? { nominal: nominals[code] } : {}),
    ...(begins ? { begins } : {}),
    ...(row.subject ? { subject: row.subject } : {}),
  }
}

/** A rule on one flag bit, which an event may also set and clear between two samples. */
export type FlagRule = SampleRule & { bit: number; level: Level }

function flagRule(code: FlagCode): FlagRule {
  const { bit, level, delayS } = warnings[code].flag
  const measure = (facts: RuleFacts) => {
    const flags = numberIn(facts, 'eventFlags')
    return flags === undefined ? undefined : Number(hasBit(flags, bit))
  }
  return { code, source: 'BOARD', direction: 'above', unit: '', measure, levels: fixed(level), delayS, bit, level }
}

/** Compared with the board's own charge limit, not with a fleet threshold. */
const socLow: SampleRule = {
  code: 'SOC_LOW',
  source: 'BOARD',
  direction: 'below',
  unit: '%',
  measure: read('socPct'),
  levels: ({ socMinPct }) => [warning(socMinPct - 3, socMinPct + 2), critical(3, 6)],
  delayS: 300,
}

const offGrid: SampleRule = {
  code: 'OFF_GRID',
  source: 'BOARD',
  direction: 'above',
  unit: '',
  measure: (facts) => (facts.values.gridMode ? Number(isOffGrid(facts)) : undefined),
  levels: fixed(info(0.5, 0.5)),
  delayS: 0,
}

export const flagRules: readonly FlagRule[] = flagCodes.map(flagRule)

/** Rules for every sample of a board. */
export const sampleRules: readonly SampleRule[] = [...thresholdCodes.map(thresholdRule), socLow, ...flagRules, offGrid]

export const severityRank: Record<Severity, number> = { INFO: 1, WARNING: 2, CRITICAL: 3 }

/** Badness of a value: higher is worse in either direction. */
const badness = (value: number, direction: Direction): number =>
  direction === 'above' ? value : direction === 'below' ? -value : exact(Math.abs(value - direction.around))

export const isWorse = (value: number, other: number, direction: Direction): boolean =>
  badness(value, direction) > badness(other, direction)

/** The bounds of a level on the side on which the value lies. */
const boundsAt = (value: number, level: Level, direction: Direction): Bounds =>
  boundsOn(level, typeof direction === 'object' && value < direction.around ? 'under' : 'over')

const limitOf = (threshold: number, direction: Direction): number => (direction === 'below' ? -threshold : threshold)

/** True when a value has reached the threshold of a level. */
export const isRaised = (value: number, level: Level, direction: Direction): boolean =>
  badness(value, direction) >= limitOf(boundsAt(value, level, direction).raise, direction)

/** A flag has one threshold for raise and clear. */
export const isFlag = ({ raise, clear }: Bounds): boolean => raise === clear

/** True when a value has passed the clear threshold of a level. */
export const isBack = (value: number, level: Level, direction: Direction): boolean => {
  const bounds = boundsAt(value, level, direction)
  return isFlag(bounds) ? !isRaised(value, level, direction) : badness(value, direction) <= limitOf(bounds.clear, direction)
}

/** The threshold of a level for display: of a range, the end that the value has left. */
export function shownThreshold(value: number, level: Level, direction: Direction): number {
  const { raise } = boundsAt(value, level, direction)
  if (typeof direction === 'string') return raise
  return exact(value < direction.around ? direction.around - raise : direction.around + raise)
}
