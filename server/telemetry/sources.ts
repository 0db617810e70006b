import { type RawBuilder, sql } from 'kysely'
import { kept } from '#server/db/kept-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { type Bucket, bucketMs, isOfSamples } from './bucket-rule.ts'
import { type RolledTable, rowPieces, samplePieces } from './roll-up-sql.ts'
import { inSpanOf, type SampleWindow, type Segment, segmentRows, withBefore, without } from './windows.ts'

type Sql = RawBuilder<unknown>
type Rows = { table: RolledTable; segments: Segment[] }

/** What buckets are put together of: the coarsest rows that fit, and samples where the rows do not reach yet. */
export type Sources = { rows: readonly Rows[]; samples: readonly SampleWindow[] }

const hours = (segments: Sql) =>
  sql`select "h"."controlPcbId", greatest("h"."hour", "s"."from") as "from", least("h"."hour" + interval '1 hour', "s"."to") as "to"
    from "telemetryOpenHour" "h" join (${segments}) "s" on "s"."controlPcbId" = "h"."controlPcbId"
      and "h"."hour" < "s"."to" and "h"."hour" > "s"."from" - interval '1 hour'`
const days = (segments: Sql) =>
  sql`select "d"."controlPcbId", greatest("d"."day", "s"."from") as "from", least("d"."until", "s"."to") as "to"
    from "telemetryOpenDay" "d" join (${segments}) "s" on "s"."controlPcbId" = "d"."controlPcbId"
      and "d"."day" < "s"."to" and "d"."until" > "s"."from"`

type Open = { hours: SampleWindow[]; days: Segment[] }

/** The hours and days of segments that are not rolled up yet. */
async function openIn(db: Queryable, segments: readonly Segment[]): Promise<Open> {
  const own = segmentRows(segments)
  const rows = await rowsOf(
    db,
    sql<
      Segment & { before: string | null }
    >`${kept}${withBefore(hours(own))} union all select "d".*, null from (${days(own)}) "d"`,
  )
  const open: Open = { hours: [], days: [] }
  for (const { before, ...segment } of rows) {
    if (before === null) open.days.push(segment)
    else open.hours.push({ ...segment, before })
  }
  return open
}

/**
 * Where the samples of segments are to be read. A roll-up between this and the reading does no harm: finer rows stay when coarser ones
 * are made of them.
 */
export async function sourcesOf(db: Queryable, segments: readonly Segment[], bucket: Bucket): Promise<Sources> {
  if (segments.length === 0) return { rows: [], samples: [] }
  if (isOfSamples(bucket)) {
    return { rows: [], samples: await rowsOf(db, sql<SampleWindow>`${kept}${withBefore(segmentRows(segments))}`) }
  }
  const open = await openIn(db, segments)
  if ('days' in bucket) {
    const ofDays: Rows = { table: 'telemetry1d', segments: without(segments, open.days) }
    return { rows: [ofDays, { table: 'telemetry5m', segments: without(open.days, open.hours) }], samples: open.hours }
  }
  const table = bucketMs(bucket) < 3_600_000 ? 'telemetry5m' : 'telemetry1h'
  return { rows: [{ table, segments: without(segments, open.hours) }], samples: open.hours }
}

const inSegments = (segments: readonly Segment[]) =>
  sql`join (${segmentRows(segments)}) "s" on "s"."controlPcbId" = "r"."controlPcbId" and "r"."ts" >= "s"."from" and "r"."ts" < "s"."to"
    where ${inSpanOf(sql`"r"."ts"`, segments)}`

/** The pieces of all sources. */
export function piecesOf({ rows, samples }: Sources, channels: readonly NamedChannel[]): Sql {
  const ofRows = rows.filter(({ segments }) => segments.length > 0)
  const pieces = ofRows.map(({ table, segments }) => rowPieces(table, channels, inSegments(segments)))
  if (samples.length > 0) pieces.push(samplePieces(samples, channels))
  return pieces.length > 0 ? sql.join(pieces, sql` union all `) : rowPieces('telemetry1d', channels, sql`where false`)
}
