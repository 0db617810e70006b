import { type RawBuilder, sql } from 'kysely'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { type Bucket, bucketMs, isOfSamples } from './bucket-rule.ts'
import { binned, rolledColumns, rowPieces, samplePieces, togetherBy } from './roll-up-sql.ts'

type Sql = RawBuilder<unknown>

/** A board and the time in which its samples count; an ESS may have had several boards. */
export type Segment = { controlPcbId: string; from: string; to: string }

/** The part of segments that lies in a range. */
export const clip = (segments: readonly Segment[], { from, to }: { from: Date; to: Date }): Segment[] =>
  segments
    .map((segment) => ({
      controlPcbId: segment.controlPcbId,
      fromMs: Math.max(Date.parse(segment.from), from.getTime()),
      toMs: Math.min(Date.parse(segment.to), to.getTime()),
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
    .map(({ controlPcbId, fromMs, toMs }) => ({
      controlPcbId,
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
    }))

export type SeriesRequest = {
  segments: readonly Segment[]
  channels: readonly NamedChannel[]
  from: Date
  to: Date
  bucket: Bucket
  /** IANA zone in which days begin. */
  zone: string
}

/** One bucket: when it begins (epoch ms), its first and last sample where it was made of samples, and the rolled columns. */
export type SeriesRow = { t: number; first: number | null; last: number | null } & Record<string, number | null>

const intervalText = (bucket: Bucket) => ('days' in bucket ? `${bucket.days} days` : `${bucket.stepMs / 1000} seconds`)
const localEpoch = sql`timestamp '2001-01-01'`

function bucketStart(bucket: Bucket, zone: string, time: Sql): Sql {
  if ('stepMs' in bucket) return binned(intervalText(bucket), time)
  return sql`date_bin(${sql.lit(intervalText(bucket))}::interval, ${time} at time zone ${sql.lit(zone)}, ${localEpoch}) at time zone ${sql.lit(zone)}`
}

/** Starts of all buckets of the range, so that a gap is seen as one. */
function grid({ from, to, bucket, zone }: SeriesRequest): Sql {
  const step = sql`${sql.lit(intervalText(bucket))}::interval`
  const last = sql`${to}::timestamptz - interval '1 ms'`
  if ('stepMs' in bucket) return sql`select generate_series(${from}::timestamptz, ${last}, ${step}) as "ts"`
  const local = (time: Sql) => sql`(${time}) at time zone ${sql.lit(zone)}`
  return sql`select "g" at time zone ${sql.lit(zone)} as "ts"
    from generate_series(${local(sql`${from}::timestamptz`)}, ${local(last)}, ${step}) as "g"`
}

const segmentsOf = (segments: readonly Segment[]) =>
  sql`select * from unnest(${sql.val(segments.map(({ controlPcbId }) => controlPcbId))}::uuid[],
    ${sql.val(segments.map(({ from }) => from))}::timestamptz[], ${sql.val(segments.map(({ to }) => to))}::timestamptz[])
    as "u" ("controlPcbId", "from", "to")`

const hourOf = binned('1 hour', sql`"r"."ts"`)

/** What is not rolled up yet: the samples of open hours. */
const openSamples = (segments: Sql, channels: readonly NamedChannel[]) =>
  samplePieces(
    sql`select "h"."controlPcbId", greatest("h"."hour", "s"."from") as "from", least("h"."hour" + interval '1 hour', "s"."to") as "to"
      from "telemetryOpenHour" "h" join (${segments}) "s" on "s"."controlPcbId" = "h"."controlPcbId"
        and "h"."hour" < "s"."to" and "h"."hour" > "s"."from" - interval '1 hour'`,
    channels,
  )

const inSegments = (segments: Sql) => sql`join (${segments}) "s" on "s"."controlPcbId" = "r"."controlPcbId"
  and "r"."ts" >= "s"."from" and "r"."ts" < "s"."to"`
const isOpenHour = sql`exists (select 1 from "telemetryOpenHour" "h" where "h"."controlPcbId" = "r"."controlPcbId" and "h"."hour" = ${hourOf})`
const isOpenDay = sql`exists (select 1 from "telemetryOpenDay" "d" where "d"."controlPcbId" = "r"."controlPcbId" and "d"."day" = "r"."ts")`

/** Rows of 5 minutes within days that are open; these days are read one by one, however long the range is. */
const openDayRows = (segments: Sql) => sql`join (select "s"."controlPcbId", greatest("d"."day", "s"."from") as "from",
    least("d"."until", "s"."to") as "to" from "telemetryOpenDay" "d" join (${segments}) "s" on "s"."controlPcbId" = "d"."controlPcbId"
      and "d"."day" < "s"."to" and "d"."until" > "s"."from") "o"
  on "o"."controlPcbId" = "r"."controlPcbId" and "r"."ts" >= "o"."from" and "r"."ts" < "o"."to" where not ${isOpenHour}`

/** What buckets are put together of: the coarsest rows that fit, and samples where the rows do not reach yet. */
export function piecesOf({ segments, channels, bucket }: Pick<SeriesRequest, 'segments' | 'channels' | 'bucket'>): Sql {
  const own = segmentsOf(segments)
  const joined = inSegments(own)
  if ('days' in bucket) {
    return sql`${rowPieces('telemetry1d', channels, sql`${joined} where not ${isOpenDay}`)}
      union all ${rowPieces('telemetry5m', channels, openDayRows(own))} union all ${openSamples(own, channels)}`
  }
  if (isOfSamples(bucket)) return samplePieces(own, channels)
  const table = bucketMs(bucket) < 3_600_000 ? 'telemetry5m' : 'telemetry1h'
  return sql`${rowPieces(table, channels, sql`${joined} where not ${isOpenHour}`)} union all ${openSamples(own, channels)}`
}

/** First moment of the bucket that a time is in. */
export async function startOfBucket(db: Queryable, time: Date, bucket: Bucket, zone: string): Promise<Date> {
  const row = await rowOf(db, sql<{ at: string }>`select ${bucketStart(bucket, zone, sql`${time}::timestamptz`)} as "at"`)
  return row ? new Date(row.at) : time
}

/** Every bucket from `from`, which is the start of one, up to `to`; values are null where nothing was measured. */
export function readSeries(db: Queryable, request: SeriesRequest): Promise<SeriesRow[]> {
  const { channels, bucket, zone } = request
  const start = sql`${bucketStart(bucket, zone, sql`"p"."ts"`)} as "ts"`
  const columns = sql.raw(
    rolledColumns(channels)
      .map((name) => `, "a"."${name}"`)
      .join(''),
  )
  const keys = sql`${start}, min("p"."ts") as "first", max("p"."ts") as "last"`
  const ms = (time: string) => sql`extract(epoch from ${sql.ref(time)})::float8 * 1000`
  return rowsOf(
    db,
    sql<SeriesRow>`select ${ms('g.ts')} as "t", ${ms('a.first')} as "first", ${ms('a.last')} as "last"${columns}
      from (${grid(request)}) "g" left join (${togetherBy(piecesOf(request), channels, { keys, by: '1' })}) "a" on "a"."ts" = "g"."ts" order by 1`,
  )
}
