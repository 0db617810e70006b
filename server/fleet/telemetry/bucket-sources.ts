import { type RawBuilder, sql } from 'kysely'
import { hourMs } from '#schema/format/durations.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { type Bucket, bucketMs, isOfSamples } from './bucket-rule.ts'
import { countersOf } from './counter-growth.ts'
import { type RolledTable, rowPieces, samplePieces } from './roll-up-sql.ts'
import { splitBuckets } from './split-buckets.ts'
import {
  clip,
  inSpanOf,
  joinedTo,
  type Range,
  type SampleWindow,
  type Segment,
  segmentRows,
  withBefore,
  without,
} from './windows.ts'

type Sql = RawBuilder<unknown>
type Rows = { table: RolledTable; segments: Segment[] }

/** Sources of buckets: the coarsest rows that fit, and samples where roll-ups are missing. */
export type Sources = { rows: readonly Rows[]; samples: readonly SampleWindow[] }

const hours = (segments: Sql) =>
  sql`select "h"."controlPcbId", greatest("h"."hour", "s"."from") as "from", least("h"."hour" + interval '1 hour', "s"."to") as "to"
    from "telemetryOpenHour" "h" join (${segments}) "s" on "s"."controlPcbId" = "h"."controlPcbId"
      and "h"."hour" < "s"."to" and "h"."hour" > "s"."from" - interval '1 hour'`
const days = (segments: Sql) =>
  sql`select "d"."controlPcbId", greatest("d"."day", "s"."from") as "from", least("d"."until", "s"."to") as "to"
    from "telemetryOpenDay" "d" join (${segments}) "s" on "s"."controlPcbId" = "d"."controlPcbId"
      and "d"."day" < "s"."to" and "d"."until" > "s"."from"`

/** Default range: all of the segments. */
type Asked = { bucket: Bucket; channels: readonly NamedChannel[]; range?: Range }

type Open = { hours: SampleWindow[]; days: Segment[] }

/** Hours and days of segments that are not rolled up yet. */
async function openIn(db: Queryable, segments: readonly Segment[], counters: readonly string[]): Promise<Open> {
  const own = segmentRows(segments)
  const rows = await rowsOf(
    db,
    sql<
      Segment & { before: string | null; after: string }
    >`${prepared}${withBefore(hours(own), counters)} union all select "d".*, null, "d"."to" from (${days(own)}) "d"`,
  )
  const open: Open = { hours: [], days: [] }
  for (const { before, after, ...segment } of rows) {
    if (before === null) open.days.push(segment)
    else open.hours.push({ ...segment, before, after })
  }
  return open
}

const tableOf = (bucket: Bucket): RolledTable => {
  if ('days' in bucket) return 'telemetry1d'
  return bucketMs(bucket) < hourMs ? 'telemetry5m' : 'telemetry1h'
}

/** Sources for segments of a range. A concurrent roll-up is harmless, because finer rows remain. */
export async function sourcesOf(db: Queryable, all: readonly Segment[], { bucket, channels, range }: Asked): Promise<Sources> {
  const segments = range ? clip(all, range) : all
  if (segments.length === 0) return { rows: [], samples: [] }
  const counters = countersOf(channels).map(({ name }) => name)
  if (isOfSamples(bucket)) {
    return { rows: [], samples: await rowsOf(db, sql<SampleWindow>`${prepared}${withBefore(segmentRows(segments), counters)}`) }
  }
  const table = tableOf(bucket)
  const open = await openIn(db, segments, counters)
  const days = 'days' in bucket ? open.days : []
  const split = range ? without(clip(await splitBuckets(db, all, { table, range }), range), days) : []
  const fine = without([...days, ...split], open.hours)
  const coarse = without(segments, [...days, ...split, ...open.hours])
  return {
    rows: [
      { table, segments: coarse },
      { table: 'telemetry5m', segments: fine },
    ],
    samples: open.hours,
  }
}

const inSegments = (segments: readonly Segment[]) =>
  sql`${joinedTo(segmentRows(segments))} where ${inSpanOf(sql`"r"."ts"`, segments)}`

/** `step`: how finely growth over a silence is shared. */
export function piecesOf({ rows, samples }: Sources, channels: readonly NamedChannel[], step?: string): Sql {
  const ofRows = rows.filter(({ segments }) => segments.length > 0)
  const pieces = ofRows.map(({ table, segments }) => rowPieces(table, channels, inSegments(segments)))
  if (samples.length > 0) pieces.push(samplePieces(samples, channels, step))
  return pieces.length > 0 ? sql.join(pieces, sql` union all `) : rowPieces('telemetry1d', channels, sql`where false`)
}
