import type { Channel } from '#resources/fleet/channel-of.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { channels, type NamedChannel } from './channels.ts'
import type { BoardMemory, FrameContext, Reason } from './frame-decoder.ts'
import { judgeReading } from './judge-counters.ts'
import { makeReason } from './make-reason.ts'
import type { Payload } from './read-frame.ts'
import { anySite, ratedCurrentA, ratedPowerW, type SiteFacts } from './site-facts.ts'
import type { Limits, Value } from './wire-field.ts'

/** Input of the judgement: values, board, and board time. `stepsFrom` is undefined where the clock is wrong. */
type Judging = { payload: Payload; context: FrameContext; timeMs: number | undefined }

type Doubt = { reason: Reason; doubted: readonly Channel[] }
type Check = (judging: Judging) => Doubt[]

const numberOf = (value: Value | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
const shown = (value: number, unit?: string) => `${Number(value.toFixed(2))}${unit ? ` ${unit}` : ''}`

function placeOf({ spans }: Payload, field: string) {
  const span = spans[field]
  return { field, ...(span ? { offset: span[0], length: span[1] } : {}) }
}

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

const inconsistent = (payload: Payload, field: Channel, expected: string, actual: string, doubted: Channel[]): Doubt => ({
  reason: makeReason('INCONSISTENT', { ...placeOf(payload, field), expected, actual }),
  doubted,
})

const powerShare = 0.05

/** Power or current is wrong; the data does not say which. */
const powerOfBattery: Check = ({ payload, context }) => {
  const ratedW = context.site && ratedPowerW(context.site)
  const [powerW, volts, amperes] = [
    numberOf(payload.values.batteryPowerW),
    numberOf(payload.values.batteryVoltageV),
    numberOf(payload.values.batteryCurrentA),
  ]
  if (!ratedW || powerW === undefined || volts === undefined || amperes === undefined) return []
  const product = volts * amperes
  if (Math.abs(product - powerW) <= powerShare * ratedW) return []
  const expected = `${shown(product, 'W')} ± ${shown(powerShare * ratedW, 'W')}`
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

const socStep: Check = ({ payload, context: { memory }, timeMs }) => {
  const pct = numberOf(payload.values.socPct)
  if (pct === undefined || timeMs === undefined || !memory.soc || timeMs <= memory.soc.timeMs) return []
  const allowed = socPointsPerMin * Math.max(1, (timeMs - memory.soc.timeMs) / minuteMs)
  if (Math.abs(pct - memory.soc.pct) <= allowed) return []
  const expected = `${shown(memory.soc.pct)} ± ${shown(allowed, '%')}`
  return [inconsistent(payload, 'socPct', expected, shown(pct, '%'), ['socPct'])]
}

const counters = channels.flatMap((channel) => (channel.lifetime ? [{ ...channel, feed: channel.lifetime }] : []))

type Counter = (typeof counters)[number]

/** Undefined where the sample lacks the counter, and of late samples: what they follow from is not remembered. */
function readingOf({ payload, context: { memory, site }, timeMs }: Judging, { name, feed }: Counter) {
  const value = numberOf(payload.values[name])
  if (value === undefined || timeMs === undefined || (memory.timeMs !== undefined && timeMs < memory.timeMs)) return undefined
  return judgeReading(memory.meters?.[name], { value, timeMs }, feed, site)
}

const oddCounter: Check = (judging) =>
  counters.flatMap((counter) => {
    const { name, unit } = counter
    const expected = readingOf(judging, counter)?.expected
    if (!expected) return []
    const [min, max] = expected
    const actual = shown(numberOf(judging.payload.values[name]) ?? 0, unit)
    return [inconsistent(judging.payload, name, `${shown(min)}–${shown(max, unit)}`, actual, [name])]
  })

function metersOf(judging: Judging): NonNullable<BoardMemory['meters']> {
  const { memory } = judging.context
  const found = counters.flatMap((counter) => {
    const meter = readingOf(judging, counter)?.meter ?? memory.meters?.[counter.name]
    return meter ? [[counter.name, meter] as const] : []
  })
  return Object.fromEntries(found)
}

const sensors = channels.filter(({ sensor }) => sensor)
const stuckAfter = 256
const movingShare = 0.05
const movingA = 5

type Run = NonNullable<NonNullable<BoardMemory['runs']>[string]>

/** How long a sensor has repeated this value, this sample included. */
function runOf(before: Run | undefined, value: number, amperes: number): Run {
  if (before?.value !== value) return { value, count: 1, lowA: amperes, highA: amperes }
  return { value, count: before.count + 1, lowA: Math.min(before.lowA, amperes), highA: Math.max(before.highA, amperes) }
}

function runsOf({ payload, context: { memory } }: Judging): Record<string, Run> {
  const amperes = numberOf(payload.values.batteryCurrentA) ?? 0
  const runs: Record<string, Run> = {}
  for (const { name } of sensors) {
    const value = numberOf(payload.values[name])
    if (value !== undefined) runs[name] = runOf(memory.runs?.[name], value, amperes)
  }
  return runs
}

const stuckSensor: Check = (judging) => {
  const { payload, context } = judging
  const ratedA = ratedCurrentA(context.site ?? anySite)
  const least = ratedA ? ratedA * movingShare : movingA
  const runs = runsOf(judging)
  return sensors.flatMap(({ name, unit }) => {
    const run = runs[name]
    if (!run || run.count < stuckAfter || run.highA - run.lowA < least) return []
    const facts = { expected: 'a change while the current moves', actual: `${run.count} × ${shown(run.value, unit)}` }
    return [{ reason: makeReason('SENSOR_STUCK', { ...placeOf(payload, name), ...facts }), doubted: [name] }]
  })
}

const checks: readonly Check[] = [outOfRange, powerOfBattery, orderOfExtremes, socStep, oddCounter, stuckSensor]

/** All implausible values of a sample. A value that one check rejects is no evidence against others. */
export function judgeSample(judging: Judging): Doubt[] {
  const found: Doubt[] = []
  let { payload } = judging
  for (const check of checks) {
    const doubts = check({ ...judging, payload })
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
    runs: runsOf(judging),
    ...(pct === undefined || doubted.has('socPct') ? {} : { soc: { pct, timeMs } }),
  }
}
