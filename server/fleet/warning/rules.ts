import type { Channel } from '#resources/fleet/channel-of.ts'
import { critical, type Level, latches, type Severity, warning } from '#resources/fleet/warnings/levels.ts'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import { type Direction, nominalHz, nominalV, standards } from '#server/fleet/configuration/standard-levels.ts'
import { type EventCode, eventBits, hasBit } from './event-bits.ts'
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

const flag = (code: EventCode) => (facts: RuleFacts) => {
  const flags = numberIn(facts, 'eventFlags')
  return flags === undefined ? undefined : Number(hasBit(flags, eventBits[code]))
}

type Row = [WarningCode, Direction, string, SampleRule['measure'], SampleRule['levels'], number, (Channel | undefined)?]

const set = 0.5

/** A value with the thresholds of the fleet: set or standard. */
function measured(
  code: WarningCode,
  measure: SampleRule['measure'],
  more: Partial<Pick<SampleRule, 'levels' | 'subject'>> = {},
): Row {
  const standard = standards.find((one) => one.code === code)
  if (!standard) throw new Error(`there are no thresholds for ${code}`)
  const { direction, unit, delayS } = standard
  return [code, direction, unit, measure, more.levels ?? ((facts) => levelsFor(code, facts)), delayS, more.subject]
}
const flagged = (code: EventCode, level: Level, delayS: number): Row => [code, 'above', '', flag(code), fixed(level), delayS]
const stops = critical(set, set, latches)
const notes = warning(set, set)

/** Code, direction, unit, value, levels, delay in seconds, what it is about. */
const ofBoard: readonly Row[] = [
  measured('CELL_OVER_VOLT', read('cellVoltageMaxMv', 0.001), { subject: 'cellVoltageMaxPos' }),
  measured('CELL_UNDER_VOLT', read('cellVoltageMinMv', 0.001), { subject: 'cellVoltageMinPos' }),
  measured('CELL_IMBALANCE', read('cellDeltaMv'), { levels: imbalanceLevels, subject: 'cellVoltageMinPos' }),
  measured('OVER_TEMP', read('cellTempMaxC')),
  measured('UNDER_TEMP', coldestWhileCharging),
  measured('TEMP_IMBALANCE', temperatureSpread),
  measured('MOSFET_TEMP', read('mosfetTempC')),
  measured('OVER_CHARGE_CURRENT', shareOfLimit('chargeCurrentLimitA', -1)),
  measured('OVER_DISCHARGE_CURRENT', shareOfLimit('dischargeCurrentLimitA', 1)),
  ['SOC_LOW', 'below', '%', read('socPct'), ({ socMinPct }) => [warning(socMinPct - 3, socMinPct + 2), critical(3, 6)], 300],
  measured('SOH_LOW', read('sohPct')),
  measured('GRID_VOLT', worstPhase),
  measured('GRID_FREQ', frequency),
  flagged('INSULATION_FAULT', stops, 0),
  flagged('CONTACTOR_FAULT', stops, 0),
  flagged('FUSE_OPEN', stops, 0),
  flagged('PRECHARGE_FAIL', stops, 0),
  flagged('BMS_INTERNAL', stops, 0),
  flagged('FAN_FAULT', notes, 60),
  flagged('SENSOR_FAULT', notes, 60),
  flagged('DOOR_OPEN', notes, 60),
  [
    'OFF_GRID',
    'above',
    '',
    (facts) => (facts.values.gridMode ? Number(isOffGrid(facts)) : undefined),
    fixed({ severity: 'INFO', raise: set, clear: set }),
    0,
  ],
]

const ofServer: readonly Row[] = [
  measured('CLOCK_DRIFT', ({ clockOffS }) => (clockOffS === null ? undefined : Math.abs(clockOffS))),
  measured('REBOOT_LOOP', ({ startsInHour }) => startsInHour),
  measured('ENERGY_IMBALANCE', identityOff),
]

const rowsOf = (rows: readonly Row[], source: SampleRule['source']): SampleRule[] =>
  rows.map(([code, direction, unit, measure, levels, delayS, subject]) => ({
    code,
    source,
    direction,
    unit,
    measure,
    levels,
    delayS,
    ...(subject ? { subject } : {}),
  }))

/** The rules for every sample. */
export const sampleRules: readonly SampleRule[] = [...rowsOf(ofBoard, 'BOARD'), ...rowsOf(ofServer, 'SERVER')]

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
