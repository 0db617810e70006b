import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { notAfterStart } from '#server/fleet/telemetry/bucket-rule.ts'
import { piecesOf, sourcesOf } from '#server/fleet/telemetry/bucket-sources.ts'
import { bucketStart, type SeriesRequest } from '#server/fleet/telemetry/read-series.ts'
import { binned, togetherBy } from '#server/fleet/telemetry/roll-up-sql.ts'
import { channelOf, type NamedChannel } from '#server/frames/channels.ts'

/** Both ends of what is known of a counter, in epoch milliseconds, and how long it is known of silences in between. */
type Known = { first: number | null; last: number | null; silentMs: number | null }

/** Measurements of a bucket: how long each counter is known, by its name, and the energy of the battery at both ends. */
export type MeasuredEnds = {
  counters: Readonly<Record<string, Known>>
  /** Energy in the battery, in Wh; null where neither it nor charge and rating are known at both ends, and for several batteries. */
  storedWh: { first: number; last: number } | null
}

type Pair = [number | null, number | null]
type Found = { t: number; systems: number; energyAvailableWh: Pair; socPct: Pair } & Record<string, number | (number | null)[]>

/** Energy and charge change while their own means of a day do not tell how they ended: five minutes do. */
const fine = { stepMs: 5 * minuteMs }
const fineRows = { keys: sql`"p"."controlPcbId", ${binned('5 min', sql`"p"."ts"`)} as "ts"`, by: '1, 2' } as const
/** Energy in the battery of the system "e" by a channel, in Wh. */
const storedBy = {
  energyAvailableWh: sql`"p"."energyAvailableWhAvg"::float8`,
  socPct: sql`"p"."socPctAvg"::float8 * "e"."ratedEnergyWh" / 100`,
} as const
const battery = Object.keys(storedBy).flatMap((name) => channelOf(name) ?? [])

const ms = (time: ReturnType<typeof sql>) => sql`extract(epoch from ${time})::float8 * 1000`
const ends = Object.entries(storedBy).map(([name, storedWh]) => {
  const end = (order: 'asc' | 'desc') =>
    sql`(array_agg(${storedWh} order by "p"."ts" ${sql.raw(order)}) filter (where ${storedWh} is not null))[1]`
  return sql`json_build_array(${end('asc')}, ${end('desc')}) as ${sql.id(name)}`
})
const times = ({ name }: NamedChannel) => {
  const isKnown = sql`filter (where ${sql.id('p', `${name}Sum`)} is not null)`
  return sql`json_build_array(${ms(sql`min("p"."ts") ${isKnown}`)}, ${ms(sql`max("p"."ts") ${isKnown}`)},
    1000 * coalesce(sum("p"."gapSeconds") ${isKnown}, 0)) as ${sql.id(name)}`
}

function storedOf({ energyAvailableWh, socPct, systems }: Found): MeasuredEnds['storedWh'] {
  if (systems > 1) return null
  const [first, last] = [energyAvailableWh, socPct].find(([from, to]) => from !== null && to !== null) ?? []
  return typeof first === 'number' && typeof last === 'number' ? { first, last } : null
}

/** The ends of every bucket of which rows of five minutes are left, by its start. */
export async function measuredEnds(
  db: Queryable,
  request: SeriesRequest,
  counters: readonly NamedChannel[],
): Promise<ReadonlyMap<number, MeasuredEnds>> {
  const { segments, from, to, bucket, zone } = request
  const channels = [...counters, ...battery]
  const range = { from: notAfterStart(bucket, from), to }
  const sources = await sourcesOf(db, segments, { bucket: fine, channels, range })
  const rows = await rowsOf(
    db,
    sql<Found>`select ${ms(sql`"start" at time zone ${sql.lit(zone)}`)} as "t", "a".*
      from (select ${bucketStart(request, sql`"p"."ts"`)} as "start", count(distinct "e"."id")::float8 as "systems",
          ${sql.join([...ends, ...counters.map(times)])}
        from (${togetherBy(piecesOf(sources, channels), channels, fineRows)}) "p" left join "control_pcb_attachment" "o" on "o"."controlPcbId" = "p"."controlPcbId"::text
            and "o"."attachedAt" <= "p"."ts" and coalesce("o"."removedAt", 'infinity') > "p"."ts"
          left join "ess" "e" on "e"."id" = "o"."essId" group by 1) "a"`,
  )
  const knownOf = (row: Found, { name }: NamedChannel): Known => {
    const known = row[name]
    const [first = null, last = null, silentMs = null] = Array.isArray(known) ? known : []
    return { first, last, silentMs }
  }
  return new Map(
    rows.map((row) => [
      row.t,
      {
        counters: Object.fromEntries(counters.map((counter) => [counter.name, knownOf(row, counter)])),
        storedWh: storedOf(row),
      },
    ]),
  )
}
