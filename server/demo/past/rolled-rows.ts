import { type RawBuilder, sql } from 'kysely'
import type { Channel, ChannelRolled } from '#resources/fleet/channel-of.ts'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import { chartChannels, storedValue } from '#server/fleet/telemetry/sample-columns.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { channelValue } from '#server/frames/derived-channels.ts'
import type { Hour } from './hours.ts'

type Cell = number | null
/** Hours of a bucket put together in one channel, as its columns. */
type Summary = { add: (hour: Hour) => void; cells: () => Cell[] }

type GrowthOf = (hour: Hour) => number

/** Growth of each counter in an hour. */
const counters = {
  chargeEnergyWh: ({ growth }) => growth.chargeWh,
  dischargeEnergyWh: ({ growth }) => growth.dischargeWh,
  pvEnergyWh: ({ growth }) => growth.pvWh,
  loadEnergyWh: ({ growth }) => growth.loadWh,
  gridImportEnergyWh: ({ growth }) => growth.importWh,
  gridExportEnergyWh: ({ growth }) => growth.exportWh,
  cycleCount: ({ cycles }) => cycles,
} as const satisfies Record<ChannelRolled<'counter'>, GrowthOf>
const growthOf: Readonly<Partial<Record<Channel, GrowthOf>>> = counters

const measured = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? value : null)

const readingOf = ({ readings }: Hour, channel: NamedChannel): Cell =>
  storedValue(channel, measured(channelValue(readings, channel.name)))

function mean(channel: NamedChannel): Summary {
  let [sum, count, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return {
    add(hour) {
      const value = readingOf(hour, channel)
      if (value === null) return
      sum += value
      count += 1
      low = Math.min(low, value)
      high = Math.max(high, value)
    },
    cells: () =>
      count === 0 ? [null, null, null] : [Number((sum / count).toFixed(3)), low, high].map((one) => Number(one.toFixed(3))),
  }
}

function counter({ name, column }: NamedChannel): Summary {
  const growth = growthOf[name]
  let sum = 0
  return {
    add: (hour) => {
      sum += growth?.(hour) ?? 0
    },
    cells: () => [column === 'float8' ? Number(sum.toFixed(5)) : Math.round(sum)],
  }
}

function last(channel: NamedChannel): Summary {
  let code: Cell = null
  return {
    add: (hour) => {
      code = readingOf(hour, channel)
    },
    cells: () => [code],
  }
}

const summaries = { mean, counter, state: last, flags: last, none: last } as const

/** A row of hours that lie together: a day, or an hour alone. */
class Bucket {
  readonly key: string
  readonly fromMs: number
  #hours = 0
  readonly #stepMs: number
  readonly #summaries: readonly Summary[]

  constructor(key: string, fromMs: number, stepMs: number) {
    this.#stepMs = stepMs
    this.key = key
    this.fromMs = fromMs
    this.#summaries = chartChannels.map((channel) => summaries[channel.rollUp](channel))
  }

  add(hour: Hour): void {
    this.#hours += 1
    for (const summary of this.#summaries) summary.add(hour)
  }

  get cells(): Cell[] {
    return [(this.#hours * this.#stepMs) / 1000, ...this.#summaries.flatMap((summary) => summary.cells())]
  }
}

/** Hours, or parts of hours of one length, put together by a key, in their order. */
export function bucketsOf(hours: Iterable<Hour>, keyOf: (hour: Hour) => string, stepMs = hourMs): Bucket[] {
  const buckets: Bucket[] = []
  for (const hour of hours) {
    const key = keyOf(hour)
    let bucket = buckets.at(-1)
    if (bucket?.key !== key) {
      bucket = new Bucket(key, hour.fromMs, stepMs)
      buckets.push(bucket)
    }
    bucket.add(hour)
  }
  return buckets
}

const partMs = 5 * minuteMs
const parts = hourMs / partMs

/** The growth of a part: those of an hour are whole, and together its own. */
const partOf = (growth: Hour['growth'], part: number): Hour['growth'] => {
  const until = (wh: number, count: number) => Math.round((wh * count) / parts)
  const of = (wh: number) => until(wh, part + 1) - until(wh, part)
  return {
    chargeWh: of(growth.chargeWh),
    dischargeWh: of(growth.dischargeWh),
    pvWh: of(growth.pvWh),
    loadWh: of(growth.loadWh),
    importWh: of(growth.importWh),
    exportWh: of(growth.exportWh),
  }
}

/** Rows of five minutes, each with its share of its hour: a row of an hour among them would tell its energy as that of minutes. */
export const fineBucketsOf = (hours: readonly Hour[]): Bucket[] =>
  bucketsOf(
    hours.flatMap((hour) =>
      Array.from({ length: parts }, (_, part) => ({
        ...hour,
        fromMs: hour.fromMs + part * partMs,
        growth: partOf(hour.growth, part),
        cycles: hour.cycles / parts,
      })),
    ),
    ({ fromMs }) => String(fromMs),
    partMs,
  )

/** Their cells, in the order of the columns of rolled-up rows. */
export const cellsOf = (buckets: readonly Bucket[]): Cell[][] => buckets.map(({ cells }) => cells)

/** Starts of days of a zone. */
export const dayStarts = (buckets: readonly Bucket[], zone: string): RawBuilder<unknown> =>
  sql`array(select "d"::timestamp at time zone ${zone} from unnest(${sql.val(buckets.map(({ key }) => key))}::text[]) with ordinality as "u" ("d", "n") order by "n")`

export const hourStarts = (buckets: readonly Bucket[]): RawBuilder<unknown> =>
  sql`${sql.val(buckets.map(({ fromMs }) => new Date(fromMs).toISOString()))}::timestamptz[]`
