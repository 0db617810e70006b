import { type Channel, factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import { isObject } from '#schema/is-object.ts'
import type { ChannelValue } from '#widgets/telemetry/channel-text.ts'

export type ChannelSeries = {
  avg: readonly ChannelValue[]
  min: readonly (number | null)[]
  max: readonly (number | null)[]
}

/** Series over common times (epoch ms, the start of each step), as rolled up by the server. */
export type SeriesData = {
  fromMs: number
  toMs: number
  stepMs: number
  /** IANA zone of the site. */
  zone: string
  times: readonly number[]
  /** How much of the growth of counters is estimated in each step, since the board was silent. */
  estimatedPct: readonly (number | null)[]
  channels: Readonly<Partial<Record<Channel, ChannelSeries>>>
}

const numbersOf = (value: unknown): (number | null)[] =>
  Array.isArray(value) ? value.map((item: unknown) => (typeof item === 'number' ? item : null)) : []
const valuesOf = (value: unknown): ChannelValue[] =>
  Array.isArray(value) ? value.map((item: unknown) => (typeof item === 'number' || typeof item === 'string' ? item : null)) : []

/** Validates the server's answer; undefined when malformed. */
export function seriesData(answer: unknown): SeriesData | undefined {
  if (!isObject(answer) || !isObject(answer.series)) return undefined
  const { from, to, bucketMs, zone } = answer
  if (typeof from !== 'number' || typeof to !== 'number' || typeof bucketMs !== 'number') return undefined
  const channels: Partial<Record<Channel, ChannelSeries>> = {}
  let times: number[] = []
  for (const [name, series] of Object.entries(answer.series)) {
    if (!isChannel(name) || !isObject(series)) continue
    times = numbersOf(series.t).filter((at) => at !== null)
    channels[name] = { avg: valuesOf(series.avg), min: numbersOf(series.min), max: numbersOf(series.max) }
  }
  const span = { fromMs: from, toMs: to, stepMs: bucketMs, zone: typeof zone === 'string' ? zone : 'UTC' }
  return { ...span, times, estimatedPct: numbersOf(answer.estimatedPct), channels }
}

const joined = <T>(
  base: readonly T[] | undefined,
  tail: readonly T[] | undefined,
  from: number,
  until: number,
  length: number,
) => {
  const head = Array.from({ length: until - from }, (_, index) => base?.[from + index])
  const rest = Array.from({ length }, (_, index) => tail?.[index])
  return [...head, ...rest].map((value) => value ?? null)
}

/**
 * Merges a refetched tail into the series: its steps replace overlapping ones, and data before `fromMs` is dropped. Undefined
 * when they do not fit and everything must be reloaded.
 */
export function withTail(base: SeriesData, tail: SeriesData, fromMs: number): SeriesData | undefined {
  const [first] = tail.times
  const last = base.times.at(-1)
  if (tail.stepMs !== base.stepMs || first === undefined || last === undefined || first > last + base.stepMs) return undefined
  const until = base.times.findIndex((at) => at >= first)
  const kept = until < 0 ? base.times.length : until
  const beginning = base.times.findIndex((at) => at + base.stepMs > fromMs)
  const from = beginning < 0 ? kept : Math.min(beginning, kept)
  const join = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined) =>
    joined(one, other, from, kept, tail.times.length)
  const channels = Object.fromEntries(
    Object.entries(base.channels).map(([name, series]) => {
      const end = isChannel(name) ? tail.channels[name] : undefined
      return [name, { avg: join(series.avg, end?.avg), min: join(series.min, end?.min), max: join(series.max, end?.max) }]
    }),
  )
  const times = [...base.times.slice(from, kept), ...tail.times]
  const estimatedPct = join(base.estimatedPct, tail.estimatedPct)
  return { ...base, fromMs: Math.max(base.fromMs, fromMs), toMs: tail.toMs, times, estimatedPct, channels }
}

/** How much of a channel's value in a step is estimated: nothing of what is measured at a moment. */
export const estimatedAt = ({ estimatedPct }: SeriesData, channel: Channel, index: number): number =>
  factsOf(channel).rollUp === 'counter' ? (estimatedPct[index] ?? 0) : 0

/** True when the displayed span has data. */
export const hasData = ({ channels }: SeriesData): boolean =>
  Object.values(channels).some(({ avg }) => avg.some((value) => value !== null))

/** Index of the last step with a value; undefined when there is none. */
export function lastIndex({ channels, times }: SeriesData): number | undefined {
  for (let index = times.length - 1; index >= 0; index -= 1) {
    if (Object.values(channels).some(({ avg }) => (avg[index] ?? null) !== null)) return index
  }
  return undefined
}

/** Index of the step that contains a time. */
export function indexOf({ times, stepMs }: SeriesData, atMs: number): number | undefined {
  const after = times.findIndex((each) => each > atMs)
  const index = (after < 0 ? times.length : after) - 1
  const start = times[index]
  return start !== undefined && atMs < start + 2 * stepMs ? index : undefined
}
