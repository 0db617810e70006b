import { type RawBuilder, sql } from 'kysely'
import type { Channel } from '#resources/fleet/channel-of.ts'
import { hourMs } from '#schema/format/durations.ts'
import type { Counters } from '#server/demo/simulator/step.ts'
import { chartChannels, storedValue } from '#server/fleet/telemetry/sample-columns.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import type { Hour } from './hours.ts'

type Cell = number | null
/** Hours of a bucket put together in one channel, as its columns. */
type Summary = { add: (hour: Hour) => void; cells: () => Cell[] }

const counterOf: Partial<Record<Channel, keyof Counters>> = {
  chargeEnergyWh: 'chargeWh',
  dischargeEnergyWh: 'dischargeWh',
  pvEnergyWh: 'pvWh',
  loadEnergyWh: 'loadWh',
  gridImportEnergyWh: 'importWh',
  gridExportEnergyWh: 'exportWh',
}

const measured = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? value : null)

const readingOf = ({ readings }: Hour, channel: NamedChannel): Cell =>
  channel.name === 'cellDeltaMv'
    ? Number(readings.cellVoltageMaxMv) - Number(readings.cellVoltageMinMv)
    : storedValue(channel, measured(Reflect.get(readings, channel.name)))

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

function counter(channel: NamedChannel): Summary {
  const name = counterOf[channel.name]
  let sum = 0
  return {
    add: ({ growth, cycles }) => {
      sum += name ? growth[name] : cycles
    },
    cells: () => [name ? Math.round(sum) : Number(sum.toFixed(5))],
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
  readonly #summaries: readonly Summary[]

  constructor(key: string, fromMs: number) {
    this.key = key
    this.fromMs = fromMs
    this.#summaries = chartChannels.map((channel) => summaries[channel.rollUp](channel))
  }

  add(hour: Hour): void {
    this.#hours += 1
    for (const summary of this.#summaries) summary.add(hour)
  }

  get cells(): Cell[] {
    return [(this.#hours * hourMs) / 1000, ...this.#summaries.flatMap((summary) => summary.cells())]
  }
}

/** Hours put together by a key, in their order. */
export function bucketsOf(hours: Iterable<Hour>, keyOf: (hour: Hour) => string): Bucket[] {
  const buckets: Bucket[] = []
  for (const hour of hours) {
    const key = keyOf(hour)
    let bucket = buckets.at(-1)
    if (bucket?.key !== key) {
      bucket = new Bucket(key, hour.fromMs)
      buckets.push(bucket)
    }
    bucket.add(hour)
  }
  return buckets
}

/** Their cells, in the order of the columns of rolled-up rows. */
export const cellsOf = (buckets: readonly Bucket[]): Cell[][] => buckets.map(({ cells }) => cells)

/** Starts of days of a zone. */
export const dayStarts = (buckets: readonly Bucket[], zone: string): RawBuilder<unknown> =>
  sql`array(select "d"::timestamp at time zone ${zone} from unnest(${sql.val(buckets.map(({ key }) => key))}::text[]) with ordinality as "u" ("d", "n") order by "n")`

export const hourStarts = (buckets: readonly Bucket[]): RawBuilder<unknown> =>
  sql`${sql.val(buckets.map(({ fromMs }) => new Date(fromMs).toISOString()))}::timestamptz[]`
