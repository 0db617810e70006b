import { type RawBuilder, sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { type Bucket, isOfSamples, notAfterStart } from './bucket-rule.ts'
import { piecesOf, sourcesOf } from './bucket-sources.ts'
import { binned, rolledColumns, togetherBy } from './roll-up-sql.ts'
import type { Segment } from './windows.ts'

type Sql = RawBuilder<unknown>

export type SeriesRequest = {
  segments: readonly Segment[]
  channels: readonly NamedChannel[]
  from: Date
  to: Date
  bucket: Bucket
  /** IANA zone of the days. */
  zone: string
}

/**
 * One bucket: start (epoch ms), first and last sample if made of samples, seconds that samples stand for and seconds of silences, and
 * the rolled-up columns.
 */
export type SeriesRow = {
  t: number
  first: number | null
  last: number | null
  seconds: number | null
  gapSeconds: number | null
} & Record<string, number | null>

function intervalText(bucket: Bucket): string {
  if ('stepMs' in bucket) return `${bucket.stepMs / 1000} seconds`
  return bucket.isMonth ? '1 month' : `${bucket.days} days`
}

type Binning = Pick<SeriesRequest, 'bucket' | 'zone' | 'from'>

/** Start of a time's bucket; that of days by local time, counted from the day in which the range begins. */
export function bucketStart({ bucket, zone, from }: Binning, time: Sql): Sql {
  if ('stepMs' in bucket) return binned(intervalText(bucket), time)
  if (bucket.isMonth) return sql`date_trunc('month', (${time}) at time zone ${sql.lit(zone)})`
  const firstDay = sql`date_trunc('day', ${sql.lit(from.toISOString())}::timestamptz at time zone ${sql.lit(zone)})`
  return sql`date_bin(${sql.lit(intervalText(bucket))}::interval, (${time}) at time zone ${sql.lit(zone)}, ${firstDay})`
}

/** Starts of all buckets in the range, so that gaps are visible. */
const grid = (request: SeriesRequest): Sql =>
  sql`select "start" from generate_series(${bucketStart(request, sql`${request.from}::timestamptz`)},
    ${bucketStart(request, sql`${request.to}::timestamptz - interval '1 ms'`)}, ${sql.lit(intervalText(request.bucket))}::interval) as "start"`

/** Every bucket in the range; values are null where nothing was measured. */
export async function readSeries(db: Queryable, request: SeriesRequest): Promise<SeriesRow[]> {
  const { channels, from, to, bucket, zone } = request
  const sources = await sourcesOf(db, request.segments, { bucket, channels, range: { from: notAfterStart(bucket, from), to } })
  const pieces = piecesOf(sources, channels, isOfSamples(bucket) ? '1 min' : undefined)
  const columns = sql.raw(
    rolledColumns(channels)
      .map((name) => `, "a"."${name}"`)
      .join(''),
  )
  const keys = sql`${bucketStart(request, sql`"p"."ts"`)} as "start", min("p"."ts") filter (where "p"."seconds" > 0) as "first",
    max("p"."ts") filter (where "p"."seconds" > 0) as "last"`
  const start = 'days' in bucket ? sql`"g"."start" at time zone ${sql.lit(zone)}` : sql`"g"."start"`
  const ms = (time: Sql) => sql`extract(epoch from ${time})::float8 * 1000`
  return rowsOf(
    db,
    sql<SeriesRow>`select ${ms(start)} as "t", ${ms(sql`"a"."first"`)} as "first", ${ms(sql`"a"."last"`)} as "last", "a"."seconds", "a"."gapSeconds"${columns}
      from (${grid(request)}) "g" left join (${togetherBy(pieces, channels, { keys, by: '1' })}) "a"
        on "a"."start" = "g"."start" order by "g"."start"`,
  )
}
