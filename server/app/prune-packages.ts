import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { isInCase } from '#server/fleet/case/case-sql.ts'

const keptMs = { valid: 30 * dayMs, doubtful: 180 * dayMs, hours: 400 * dayMs } as const
/** Rows per statement: small batches keep locks short. */
const atOnce = 5_000

/**
 * Removes packages that are older than they are kept: valid ones after 30 days, others after 180, those of a case file never. Counts by
 * hour stay for 13 months.
 */
export async function prunePackages({ kysely }: Database, now: Date, signal?: AbortSignal): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const old = sql`("receivedAt" < ${before(keptMs.valid)} and "status" in ('VALID', 'DUPLICATE')) or "receivedAt" < ${before(keptMs.doubtful)}`
  for (let gone = atOnce; gone === atOnce && !signal?.aborted; ) {
    const rows = await rowsOf(
      kysely,
      sql`delete from "package" where "id" in (select "id" from "package" where (${old}) and not ${isInCase} order by "receivedAt" limit ${atOnce}) returning 1`,
    )
    gone = rows.length
  }
  await sql`delete from "packageHour" where "hour" < ${before(keptMs.hours)}`.execute(kysely)
}
