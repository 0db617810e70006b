import type { Channel } from '#resources/fleet/channel-of.ts'
import { critical, info, type Level, type Severity, warning } from '#resources/fleet/warnings/levels.ts'
import {
  type FlagCode,
  flagCodes,
  hasBit,
  type ThresholdCode,
  thresholdCodes,
  type WarningCode,
} from '#resources/fleet/warnings/warning-codes.ts'
import { type Direction, warnings } from '#resources/fleet/warnings/warnings.ts'
import { levelsFor } from './limits.ts'
import { numberIn, type RuleFacts } from './rule-facts.ts'

export type SampleRule = {
  code: WarningCode
  source: 'BOARD' | 'SERVER'
  direction: Direction
  unit: string
  /** Undefined: the sample lacks the value, and nothing changes. */
  measure: (facts: RuleFacts) => number | undefined
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
/** Codes whose row names no channel. */
type MeasuredCode = {
  [Code in ThresholdCode]: (typeof warnings)[Code] extends { channel: Channel } ? never : Code
}[ThresholdCode]

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

/** Cells are only compared closely where the curve is flat and little current flows; elsewhere three times as much is normal. */
function imbalanceLevels(facts: RuleFacts): readonly Level[] {
  const [socPct = 50, amperes = 0] = [numberIn(facts, 'socPct'), numberIn(facts, 'batteryCurrentA')]
  const isCalm = socPct >= 15 && socPct <= 95 && Math.abs(amperes) < 0.2 * (facts.capacityAh ?? Number.POSITIVE_INFINITY)
  const factor = isCalm ? 1 : 3
  return levelsFor('CELL_IMBALANCE', facts).map((level) => ({
    ...level,
    raise: level.raise * factor,
    clear: level.clear * factor,
  }))
}

function coldestWhileCharging(facts: RuleFacts): number | undefined {
  const [coldest, amperes] = [numberIn(facts, 'cellTempMinC'), numberIn(facts, 'batteryCurrentA')]
  const isCharging = amperes !== undefined && amperes < -0.5
  return coldest !== undefined && isCharging ? coldest : undefined
}

function temperatureSpread(facts: RuleFacts): number | undefined {
  const [coldest, hottest] = [numberIn(facts, 'cellTempMinC'), numberIn(facts, 'cellTempMaxC')]
  return coldest === undefined || hottest === undefined ? undefined : hottest - coldest
}

/** Below one ampere a limit counts as zero, and a share of it is meaningless. */
const leastLimitA = 1

const shareOfLimit = (limit: Channel, sign: 1 | -1) => (facts: RuleFacts) => {
  const [amperes, limitA] = [numberIn(facts, 'batteryCurrentA'), numberIn(facts, limit)]
  if (amperes === undefined || limitA === undefined) return undefined
  if (limitA < leastLimitA) return 0
  return (100 * Math.max(0, sign * amperes)) / limitA
}

const isOffGrid = ({ values }: RuleFacts) => values.gridMode === 'OFF_GRID'

const nominalV = warnings.GRID_VOLT.threshold.direction.around
const nominalHz = warnings.GRID_FREQ.threshold.direction.around

/** The phase that is furthest from where it should be. Without a grid there is nothing to say of it. */
function worstPhase(facts: RuleFacts): number | undefined {
  if (isOffGrid(facts)) return nominalV
  const phases = (['gridVoltageL1V', 'gridVoltageL2V', 'gridVoltageL3V'] as const).flatMap(
    (name) => numberIn(facts, name) ?? [],
  )
  return phases.toSorted((a, b) => Math.abs(b - nominalV) - Math.abs(a - nominalV))[0]
}

const frequency = (facts: RuleFacts) => (isOffGrid(facts) ? nominalHz : numberIn(facts, 'gridFrequencyHz'))

/** Power balance error of load, solar, battery and grid, in % of the largest. */
function identityOff(facts: RuleFacts): number | undefined {
  const [load, pv, battery, grid] = (['loadPowerW', 'pvPowerW', 'batteryPowerW', 'gridPowerW'] as const).map((name) =>
    numberIn(facts, name),
  )
  if (load === undefined || pv === undefined || battery === undefined || grid === undefined) return undefined
  const largest = Math.max(Math.abs(load), pv, Math.abs(battery), Math.abs(grid), 200)
  return (100 * Math.abs(load - pv - battery - grid)) / largest
}

/** Values of thresholds that no single channel is. */
const measures = {
  UNDER_TEMP: coldestWhileCharging,
  TEMP_IMBALANCE: temperatureSpread,
  OVER_CHARGE_CURRENT: shareOfLimit('chargeCurrentLimitA', -1),
  OVER_DISCHARGE_CURRENT: shareOfLimit('dischargeCurrentLimitA', 1),
  GRID_VOLT: worstPhase,
  GRID_FREQ: frequency,
  CLOCK_DRIFT: ({ clockOffS }: RuleFacts) => (clockOffS === null ? undefined : Math.abs(clockOffS)),
  REBOOT_LOOP: ({ startsInHour }: RuleFacts) => startsInHour,
  ENERGY_IMBALANCE: identityOff,
} satisfies Record<MeasuredCode, SampleRule['measure']>

const isMeasured = (code: ThresholdCode): code is MeasuredCode => Object.hasOwn(measures, code)

/** Levels that depend on more than the site. */
const levelsOf: Partial<Record<ThresholdCode, SampleRule['levels']>> = { CELL_IMBALANCE: imbalanceLevels }

function thresholdRule(code: ThresholdCode): SampleRule {
  const row: ThresholdFacts = warnings[code]
  const { direction, unit, delayS } = row.threshold
  return {
    code,
    source: row.by ?? 'BOARD',
    direction,
    unit,
    measure: isMeasured(code) ? measures[code] : row.channel ? read(row.channel, row.scale) : () => undefined,
    levels: levelsOf[code] ?? ((facts) => levelsFor(code, facts)),
    delayS,
    ...(row.subject ? { subject: row.subject } : {}),
  }
}

function flagRule(code: FlagCode): SampleRule {
  const { bit, level, delayS } = warnings[code].flag
  const measure = (facts: RuleFacts) => {
    const flags = numberIn(facts, 'eventFlags')
    return flags === undefined ? undefined : Number(hasBit(flags, bit))
  }
  return { code, source: 'BOARD', direction: 'above', unit: '', measure, levels: fixed(level), delayS }
}

/** Held against the board's own limit of the charge, and against nothing that the fleet sets. */
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

/** Rules for every sample of a board. */
export const sampleRules: readonly SampleRule[] = [
  ...thresholdCodes.map(thresholdRule),
  socLow,
  ...flagCodes.map(flagRule),
  offGrid,
]

export const severityRank: Record<Severity, number> = { INFO: 1, WARNING: 2, CRITICAL: 3 }

/** Badness of a value: higher is worse, whatever the direction. */
const badness = (value: number, direction: Direction): number =>
  direction === 'above' ? value : direction === 'below' ? -value : Math.abs(value - direction.around)

const limitOf = (threshold: number, direction: Direction): number => (direction === 'below' ? -threshold : threshold)

/** True when a value has reached the threshold of a level. */
export const isRaised = (value: number, { raise }: Level, direction: Direction): boolean =>
  badness(value, direction) >= limitOf(raise, direction)

/** A flag has one threshold for both ends. */
export const isFlag = ({ raise, clear }: Level): boolean => raise === clear

/** True when a value is back beyond the clear threshold of a level. */
export const isBack = (value: number, level: Level, direction: Direction): boolean =>
  isFlag(level) ? !isRaised(value, level, direction) : badness(value, direction) <= limitOf(level.clear, direction)

/** The threshold of a level as people read it: of a range, the end that the value has left. */
export function shownThreshold(value: number, { raise }: Level, direction: Direction): number {
  if (typeof direction === 'string') return raise
  return value < direction.around ? direction.around - raise : direction.around + raise
}
