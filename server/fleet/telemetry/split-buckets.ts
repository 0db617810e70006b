import { sql } from 'kysely'
import { hourMs } from '#schema/format/durations.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { RolledTable } from './roll-up-sql.ts'
import { type Range, type Segment, segmentOf, segmentRows } from './windows.ts'

type Asked = { table: RolledTable; range: Range }

function hourCuts({ controlPcbId, from, to }: Segment): Segment[] {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  const first = Math.min(Math.ceil(fromMs / hourMs) * hourMs, toMs)
  const last = Math.max(Math.floor(toMs / hourMs) * hourMs, first)
  return [...segmentOf(controlPcbId, fromMs, first), ...segmentOf(controlPcbId, last, toMs)]
}

/**
 * Days follow the site's time zone, so the row stores its start. Day rows outlive 5-minute rows: a day in which a board was
 * removed long ago counts in full.
 */
const dayCuts = (db: Queryable, segments: readonly Segment[]): Promise<Segment[]> =>
  rowsOf(
    db,
    sql<Segment>`with "s" as (select "s".*, least("s"."to", coalesce((select min("d"."ts") from "telemetry1d" "d"
        where "d"."controlPcbId" = "s"."controlPcbId" and "d"."ts" >= "s"."from"), "s"."to")) as "first" from (${segmentRows(segments)}) "s"),
      "e" as (select "s"."controlPcbId", greatest("s"."first", (select max("d"."ts") from "telemetry1d" "d"
        where "d"."controlPcbId" = "s"."controlPcbId" and "d"."ts" < "s"."to")) as "last", "s"."to" from "s")
      select "controlPcbId", "from", "first" as "to" from "s" where "from" < "first"
      union all select "controlPcbId", "last", "to" from "e" where "last" < "to" and "last" > "to" - interval '25 hours'
        and exists (select 1 from "telemetry5m" "m" where "m"."controlPcbId" = "e"."controlPcbId" and "m"."ts" >= "last" and "m"."ts" < "to")`,
  )

/**
 * Board changes within an hour or day of a range: the coarse row covers too much, so 5-minute rows, the finest retained ones,
 * replace it.
 */
export async function splitBuckets(db: Queryable, segments: readonly Segment[], { table, range }: Asked): Promise<Segment[]> {
  if (table === 'telemetry5m') return []
  const cut = segments.filter(({ from, to }) => Date.parse(from) > range.from.getTime() || Date.parse(to) < range.to.getTime())
  if (cut.length === 0) return []
  return table === 'telemetry1h' ? cut.flatMap(hourCuts) : await dayCuts(db, cut)
}
