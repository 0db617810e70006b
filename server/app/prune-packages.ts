import { type RawBuilder, sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { Config } from '#server/base/config.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { isInCase } from '#server/fleet/case/case-sql.ts'

const hoursKeptMs = 400 * dayMs
/** Rows per statement: small batches keep locks short. */
const atOnce = 5_000

type KeptDays = Pick<Config, 'packagesKeptDays' | 'doubtfulPackagesKeptDays'>
type Old = { status: RawBuilder<unknown>; before: Date }

/** Each batch begins where the one before it ended: between packets that go may lie many that stay. */
async function pruneOld({ kysely }: Database, { status, before }: Old, signal?: AbortSignal): Promise<void> {
  let from = new Date(0).toISOString()
  for (let gone = atOnce; gone === atOnce && !signal?.aborted; ) {
    const rows = await rowsOf(
      kysely,
      sql<{ receivedAt: string }>`delete from "package" where "id" in (select "id" from "package"
          where "receivedAt" >= ${from} and "receivedAt" < ${before} and ${status} and not ${isInCase}
          order by "receivedAt" limit ${atOnce}) returning "receivedAt"`,
    )
    gone = rows.length
    from =
      rows
        .map(({ receivedAt }) => receivedAt)
        .toSorted()
        .at(-1) ?? from
  }
}

/**
 * Removes packages that are older than they are kept: valid ones, others, which stay longer, and those of a case file never. Counts by
 * hour stay for 13 months.
 */
export async function prunePackages(database: Database, kept: KeptDays, now: Date, signal?: AbortSignal): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const { packagesKeptDays, doubtfulPackagesKeptDays } = kept
  const isSound = sql`"status" in ('VALID', 'DUPLICATE')`
  await pruneOld(database, { status: isSound, before: before(packagesKeptDays * dayMs) }, signal)
  await pruneOld(database, { status: sql`not (${isSound})`, before: before(doubtfulPackagesKeptDays * dayMs) }, signal)
  await sql`delete from "packageHour" where "hour" < ${before(hoursKeptMs)}`.execute(database.kysely)
}
