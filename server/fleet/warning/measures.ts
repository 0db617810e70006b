import type { Channel } from '#resources/fleet/channel-of.ts'
import type { ThresholdCode } from '#resources/fleet/warnings/warning-codes.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { ratedCapacityAh, ratedPowerW } from '#server/frames/site-facts.ts'
import { numberIn, type RuleFacts } from './rule-facts.ts'

/** Codes without a channel in their row. */
type MeasuredCode = {
  [Code in ThresholdCode]: (typeof warnings)[Code] extends { channel: Channel } ? never : Code
}[ThresholdCode]
type Measure = (facts: RuleFacts) => number | undefined

/** Capacity in Ah: from the nameplate, else from rated energy and voltage. */
const capacityAh = ({ capacityAh: known, site }: RuleFacts): number | undefined =>
  known ?? (site ? ratedCapacityAh(site) : undefined)

/** Cells are comparable where the voltage curve is flat and the current is low: elsewhere a spread means nothing. */
export function isCalm(facts: RuleFacts): boolean {
  const [socPct, amperes] = [numberIn(facts, 'socPct'), numberIn(facts, 'batteryCurrentA')]
  if (socPct === undefined || amperes === undefined) return false
  return socPct >= 15 && socPct <= 95 && Math.abs(amperes) < 0.2 * (capacityAh(facts) ?? Number.POSITIVE_INFINITY)
}

export const isCharging = (facts: RuleFacts): boolean => (numberIn(facts, 'batteryCurrentA') ?? 0) < -0.5

function temperatureSpread(facts: RuleFacts): number | undefined {
  const [coldest, hottest] = [numberIn(facts, 'cellTempMinC'), numberIn(facts, 'cellTempMaxC')]
  return coldest === undefined || hottest === undefined ? undefined : hottest - coldest
}

/** Below one ampere the limit forbids any current, and a share of it is meaningless. */
const leastLimitA = 1
/** A forbidden current counts from this share of the capacity on, and is compared with it. */
const forbiddenC = 0.02

/** A limit near zero must not end an over-current: the battery forbids the current that flowed. */
const shareOfLimit =
  (limit: Channel, sign: 1 | -1): Measure =>
  (facts) => {
    const [amperes, limitA] = [numberIn(facts, 'batteryCurrentA'), numberIn(facts, limit)]
    if (amperes === undefined || limitA === undefined) return undefined
    const flowA = Math.max(0, sign * amperes)
    if (limitA >= leastLimitA) return (100 * flowA) / limitA
    const toleratedA = Math.max(leastLimitA, forbiddenC * (capacityAh(facts) ?? 0))
    return flowA > toleratedA ? (100 * flowA) / toleratedA : undefined
  }

export const isOffGrid = ({ values }: RuleFacts): boolean => values.gridMode === 'OFF_GRID'

/** Centres of ranges that differ per site; fleet thresholds refer to the centres in these rows. */
export const nominals = {
  GRID_VOLT: ({ gridNominalV }: RuleFacts) => gridNominalV ?? warnings.GRID_VOLT.threshold.direction.around,
  GRID_FREQ: ({ gridNominalHz }: RuleFacts) => gridNominalHz ?? warnings.GRID_FREQ.threshold.direction.around,
}

const phaseChannels = ['gridVoltageL1V', 'gridVoltageL2V', 'gridVoltageL3V'] as const

/** The connected phase with the largest deviation. Boards of one phase may report 0 V for the others. Undefined without a grid. */
function worstPhase(facts: RuleFacts): number | undefined {
  const nominalV = nominals.GRID_VOLT(facts)
  if (isOffGrid(facts)) return nominalV
  const connected = phaseChannels.slice(0, facts.gridPhases ?? phaseChannels.length)
  const phases = connected.flatMap((name) => numberIn(facts, name) ?? [])
  return phases.toSorted((a, b) => Math.abs(b - nominalV) - Math.abs(a - nominalV))[0]
}

const frequency: Measure = (facts) => (isOffGrid(facts) ? nominals.GRID_FREQ(facts) : numberIn(facts, 'gridFrequencyHz'))

/** Accuracy of the meters plus the converter's own use: differences up to this are tolerated. */
const toleratedW = ({ site, ownUseW }: RuleFacts): number =>
  Math.max(200, 0.02 * ((site ? ratedPowerW(site) : undefined) ?? 0)) + (ownUseW ?? 0)

/** Power balance error of load, solar, battery and grid, in % of the largest. */
export function identityOff(facts: RuleFacts): number | undefined {
  const [load, pv, battery, grid] = (['loadPowerW', 'pvPowerW', 'batteryPowerW', 'gridPowerW'] as const).map((name) =>
    numberIn(facts, name),
  )
  if (load === undefined || pv === undefined || battery === undefined || grid === undefined) return undefined
  const offW = Math.abs(load - pv - battery - grid)
  if (offW <= toleratedW(facts)) return 0
  return (100 * offW) / Math.max(Math.abs(load), pv, Math.abs(battery), Math.abs(grid))
}

const middleOf = (values: readonly number[]): number | undefined => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** The median of the last hour. A sample without all meters says nothing. */
function usuallyOff(facts: RuleFacts): number | undefined {
  const offPct = identityOff(facts)
  return offPct === undefined ? undefined : (middleOf(facts.metersOffPct ?? []) ?? offPct)
}

/** Values of thresholds that no single channel is. */
export const measures = {
  TEMP_IMBALANCE: temperatureSpread,
  OVER_CHARGE_CURRENT: shareOfLimit('chargeCurrentLimitA', -1),
  OVER_DISCHARGE_CURRENT: shareOfLimit('dischargeCurrentLimitA', 1),
  GRID_VOLT: worstPhase,
  GRID_FREQ: frequency,
  CLOCK_DRIFT: ({ clockOffS }) => (clockOffS === null ? undefined : Math.abs(clockOffS)),
  REBOOT_LOOP: ({ startsInHour }) => startsInHour,
  ENERGY_IMBALANCE: usuallyOff,
} satisfies Record<MeasuredCode, Measure>
