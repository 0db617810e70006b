import { sql } from 'kysely'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { Segment } from './windows.ts'

const seldomS = 300

/**
 * Typical spacing of the samples of a short range in seconds: 0 for up to a minute, else 5 minutes. A board may have reported
 * less often than now, and minute points would leave gaps.
 */
export async function spacingOf(db: Queryable, segments: readonly Segment[]): Promise<number> {
  let isSeldom = 0
  for (const { controlPcbId, from, to } of segments) {
    const row = await rowOf(
      db,
      sql<{ often: number; seldom: number }>`select coalesce(sum("gap") filter (where "gap" <= 90), 0)::float8 as "often",
          coalesce(sum("gap") filter (where "gap" > 90 and "gap" <= 450), 0)::float8 as "seldom"
        from (select extract(epoch from "ts" - lag("ts") over (order by "ts")) as "gap" from "telemetry"
          where "controlPcbId" = ${controlPcbId} and "ts" >= ${from} and "ts" < ${to}) "g"`,
    )
    isSeldom += (row?.seldom ?? 0) - (row?.often ?? 0)
  }
  return isSeldom > 0 ? seldomS : 0
}
