import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { keepSamples } from '#server/fleet/case/keep-samples.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { dropMonths, hasMonths, monthStart } from '#server/fleet/telemetry/months.ts'

/**
 * Removes samples older than 60 days, by whole months, and rows of 5 minutes and hours older than 13 months. Days stay for ever, and so
 * do the samples of case files.
 */
export async function pruneTelemetry(database: Database, now: Date): Promise<void> {
  const samplesBefore = new Date(now.getTime() - keptMs.samples)
  if (await hasMonths(database, samplesBefore)) {
    await keepSamples(database.kysely, monthStart(samplesBefore))
    await dropMonths(database, samplesBefore)
  }
  const before = new Date(now.getTime() - keptMs.rows)
  for (const table of ['telemetry5m', 'telemetry1h'])
    await sql`delete from ${sql.table(table)} where "ts" < ${before}`.execute(database.kysely)
}
