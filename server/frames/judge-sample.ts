import { minuteMs } from '#schema/format/durations.ts'
import { channels, type NamedChannel } from './channels.ts'
import type { BoardMemory } from './frame-decoder.ts'
import { judgeReading } from './judge-counters.ts'
import { rereadPerson, stuckSensor } from './judge-sensors.ts'
import { type Check, type Doubt, inconsistent, type Judging, numberOf, oncePerPayload, placeOf, shown } from './judging.ts'
import { makeReason } from './make-reason.ts'
import type { Payload } from './read-frame.ts'
import { anySite, endsMv, ratedPowerW, type SiteFacts } from './site-facts.ts'
import type { Limits } from './wire-field.ts'

const boundsBySite = new WeakMap<SiteFacts, Map<NamedChannel, Limits>>()
function boundsOf(site: SiteFacts): Map<NamedChannel, Limits> {
  const known = boundsBySite.get(site)
  if (known) return known
  const limited = channels.flatMap((channel) => (channel.limits ? [[channel, channel.limits(site)] as const] : []))
  const bounds = new Map(limited)
  boundsBySite.set(site, bounds)
  return bounds
}

const outOfRange: Check = ({ payload, context }) => {
  const doubts: Doubt[] = []
  for (const [{ name, unit }, [min, max]] of boundsOf(context.site ?? anySite)) {
    const value = payload.values[name]
    if (typeof value !== 'number' || (value >= min && value <= max)) continue
    const facts = { expected: `${shown(min)}–${shown(max, unit)}`, actual: shown(value, unit) }
    doubts.push({ reason: makeReason('VALUE_OUT_OF_RANGE', { ...placeOf(payload, name), ...facts }), doubted: [name] })
  }
  return doubts
}

/** Meter accuracy plus converter losses: power may be measured on the grid side or on the battery side. */
const meterShare = 0.05
const lossShare = 0.12

/** Power or current is wrong; the data does not show which. Losses make the grid-side power lower, sign included. */
const powerOfBattery: Check = ({ payload, context }) => {
  const ratedW = context.site && ratedPowerW(context.site)
  const [powerW, volts, amperes] = [
    numberOf(payload.values.batteryPowerW),
    numberOf(payload.values.batteryVoltageV),
    numberOf(payload.values.batteryCurrentA),
  ]
  if (!ratedW || powerW === undefined || volts === undefined || amperes === undefined) return []
  const product = volts * amperes
  const least = product - lossShare * Math.max(ratedW, Math.abs(product))
  const most = product + meterShare * ratedW
  if (powerW >= least && powerW <= most) return []
  const expected = `${shown(least)}–${shown(most, 'W')}`
  return [inconsistent(payload, 'batteryPowerW', expected, shown(powerW, 'W'), ['batteryPowerW', 'batteryCurrentA'])]
}

const triples = [
  ['cellVoltageMinMv', 'cellVoltageAvgMv', 'cellVoltageMaxMv', 'mV'],
  ['cellTempMinC', 'cellTempAvgC', 'cellTempMaxC', '°C'],
] as const

const orderOfExtremes: Check = ({ payload }) =>
  triples.flatMap(([low, mean, high, unit]) => {
    const max = numberOf(payload.values[high])
    const min = numberOf(payload.values[low])
    const avg = numberOf(payload.values[mean])
    if (max !== undefined && min !== undefined && min > max)
      return [inconsistent(payload, low, `≤ ${shown(max, unit)}`, shown(min, unit), [low, mean, high])]
    const isOutside = avg !== undefined && ((min !== undefined && avg < min) || (max !== undefined && avg > max))
    if (!isOutside) return []
    return [inconsistent(payload, mean, `${shown(min ?? avg)}–${shown(max ?? avg, unit)}`, shown(avg, unit), [mean])]
  })

const socPointsPerMin = 5

/** Ends of the charge range, where cell voltages reveal the drift of coulomb counting, and the BMS corrects it. */
const ends = [
  {
    state: 'FULL',
    isNear: (pct: number) => pct >= 95,
    cell: 'cellVoltageMaxMv',
    isBeyond: (mv: number, end: number) => mv >= end,
  },
  {
    state: 'EMPTY',
    isNear: (pct: number) => pct <= 10,
    cell: 'cellVoltageMinMv',
    isBeyond: (mv: number, end: number) => mv <= end,
  },
] as const

function isAtEnd({ values }: Payload, pct: number, site: SiteFacts | undefined): boolean {
  const [emptyMv, fullMv] = endsMv(site ?? anySite)
  return ends.some(({ state, isNear, cell, isBeyond }) => {
    const mv = numberOf(values[cell])
    const saysSo = values.chargeState === state || (mv !== undefined && isBeyond(mv, state === 'FULL' ? fullMv : emptyMv))
    return isNear(pct) && saysSo
  })
}

const socStep: Check = ({ payload, context: { memory, site }, timeMs }) => {
  const pct = numberOf(payload.values.socPct)
  if (pct === undefined || timeMs === undefined || !memory.soc || timeMs <= memory.soc.timeMs) return []
  const allowed = socPointsPerMin * Math.max(1, (timeMs - memory.soc.timeMs) / minuteMs)
  if (Math.abs(pct - memory.soc.pct) <= allowed) return []
  const [expected, actual] = [`${shown(memory.soc.pct)} ± ${shown(allowed, '%')}`, shown(pct, '%')]
  if (!isAtEnd(payload, pct, site)) return [inconsistent(payload, 'socPct', expected, actual, ['socPct'])]
  const reason = makeReason('SOC_RECALIBRATED', { ...placeOf(payload, 'socPct'), expected, actual })
  return [{ reason, doubted: [] }]
}

const counters = channels.flatMap((channel) => (channel.lifetime ? [{ ...channel, feed: channel.lifetime }] : []))

type Counter = (typeof counters)[number]

/** Undefined when the sample lacks the counter, and for late samples, whose predecessors are not stored. */
function judgedOf({ payload, context: { memory, site }, timeMs }: Judging, { name, feed }: Counter) {
  const value = numberOf(payload.values[name])
  if (value === undefined || timeMs === undefined || (memory.timeMs !== undefined && timeMs < memory.timeMs)) return undefined
  const run = numberOf(payload.values.rebootCount)
  return judgeReading(memory.meters?.[name], { value, timeMs, ...(run === undefined ? {} : { run }) }, feed, site)
}

const readingsOf = oncePerPayload((judging: Judging) => counters.map((counter) => judgedOf(judging, counter)))

const oddCounter: Check = (judging) =>
  readingsOf(judging).flatMap((reading, at) => {
    const [expected, counter] = [reading?.expected, counters[at]]
    if (!expected || !counter) return []
    const { name, unit } = counter
    const [min, max] = expected
    const actual = shown(numberOf(judging.payload.values[name]) ?? 0, unit)
    return [inconsistent(judging.payload, name, `${shown(min)}–${shown(max, unit)}`, actual, [name])]
  })

function metersOf(judging: Judging): NonNullable<BoardMemory['meters']> {
  const { memory } = judging.context
  const readings = readingsOf(judging)
  const meters: NonNullable<BoardMemory['meters']> = {}
  for (const [at, { name }] of counters.entries()) {
    const meter = readings[at]?.meter ?? memory.meters?.[name]
    if (meter) meters[name] = meter
  }
  return meters
}

const checks: readonly Check[] = [outOfRange, powerOfBattery, orderOfExtremes, socStep, oddCounter, stuckSensor]

/** All implausible values of a sample. A value that one check rejects is not used as evidence by others. */
export function judgeSample(judging: Judging): Doubt[] {
  const found: Doubt[] = []
  let { payload } = judging
  for (const check of checks) {
    const doubts = check(payload === judging.payload ? judging : { ...judging, payload })
    if (doubts.length === 0) continue
    const gone = doubts.flatMap(({ doubted }) => doubted.map((name) => [name, null] as const))
    if (gone.length > 0) payload = { ...payload, values: { ...payload.values, ...Object.fromEntries(gone) } }
    found.push(...doubts)
  }
  return found
}

/** State for judging the next sample. */
export function rememberSample(judging: Judging, doubted: ReadonlySet<string>): Partial<BoardMemory> {
  const { payload, context, timeMs } = judging
  const { memory } = context
  const pct = numberOf(payload.values.socPct)
  const isNewest = timeMs !== undefined && (memory.timeMs === undefined || timeMs >= memory.timeMs)
  if (!isNewest) return {}
  return {
    meters: metersOf(judging),
    still: rereadPerson(judging),
    ...(pct === undefined || doubted.has('socPct') ? {} : { soc: { pct, timeMs } }),
  }
}
