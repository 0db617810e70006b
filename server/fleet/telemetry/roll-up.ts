import { type RawBuilder, sql } from 'kysely'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { countersOf } from './counter-growth.ts'
import { binned, type RolledTable, rolledColumns, rowPieces, samplePieces, togetherBy } from './roll-up-sql.ts'
import { chartChannels } from './sample-columns.ts'
import { joinedTo, type Segment, segmentRows, withBefore } from './windows.ts'

type Sql = RawBuilder<unknown>

/** Delay until an hour or day counts as complete. Later samples reopen it. */
const graceMs = 2 * minuteMs
/** Board-hours per transaction: the embedded engine serves no other client meanwhile. */
const atOnce = { embedded: 48, server: 500 } as const

type Rolling = { table: RolledTable; windows: Sql; pieces: Sql; bucket: Sql }

/** Also removes rows without samples. */
async function replace(db: Queryable, { table, windows, pieces, bucket }: Rolling): Promise<void> {
  const columns = sql.raw(
    rolledColumns(chartChannels)
      .map((name) => `, "${name}"`)
      .join(''),
  )
  await rowsOf(
    db,
    sql`delete from ${sql.table(table)} "r" using (${windows}) "w"
    where "r"."controlPcbId" = "w"."controlPcbId" and "r"."ts" >= "w"."from" and "r"."ts" < "w"."to"`,
  )
  await rowsOf(
    db,
    sql`insert into ${sql.table(table)} ("controlPcbId", "ts", "seconds", "gapSeconds"${columns})
    ${togetherBy(pieces, chartChannels, { keys: sql`"p"."controlPcbId", ${bucket} as "ts"`, by: '1, 2' })}`,
  )
}

const counters = countersOf(chartChannels).map(({ name }) => name)
const pieceTime = sql`"p"."ts"`

async function rollHours(db: Queryable, now: Date, limit: number): Promise<number> {
  const over = new Date(now.getTime() - hourMs - graceMs)
  const hours = await rowsOf(
    db,
    sql<Segment>`delete from "telemetryOpenHour" where ("controlPcbId", "hour") in (select "controlPcbId", "hour" from "telemetryOpenHour"
        where "hour" <= ${over} order by "hour", "controlPcbId" limit ${limit} for update skip locked)
      returning "controlPcbId", "hour" as "from", "hour" + interval '1 hour' as "to"`,
  )
  if (hours.length === 0) return 0
  const windows = segmentRows(hours)
  const samples = samplePieces(await rowsOf(db, withBefore(windows, counters)), chartChannels)
  await replace(db, { table: 'telemetry5m', windows, pieces: samples, bucket: binned('5 min', pieceTime) })
  const rows = rowPieces('telemetry5m', chartChannels, joinedTo(windows))
  await replace(db, { table: 'telemetry1h', windows, pieces: rows, bucket: binned('1 hour', pieceTime) })
  return hours.length
}

async function rollDays(db: Queryable, now: Date, limit: number): Promise<number> {
  const over = new Date(now.getTime() - graceMs)
  const days = await rowsOf(
    db,
    sql<Segment>`delete from "telemetryOpenDay" where ("controlPcbId", "day") in (select "d"."controlPcbId", "d"."day" from "telemetryOpenDay" "d"
        where "d"."until" <= ${over} and not exists (select 1 from "telemetryOpenHour" "h" where "h"."controlPcbId" = "d"."controlPcbId"
          and "h"."hour" > "d"."day" - interval '1 hour' and "h"."hour" < "d"."until")
        order by "d"."day", "d"."controlPcbId" limit ${limit} for update skip locked)
      returning "controlPcbId", "day" as "from", "until" as "to"`,
  )
  if (days.length === 0) return 0
  const windows = segmentRows(days)
  const pieces = sql`select "q".*, "w"."from" as "day" from (${rowPieces('telemetry5m', chartChannels, sql``)}) "q"
    join (${windows}) "w" on "q"."controlPcbId" = "w"."controlPcbId" and "q"."ts" >= "w"."from" and "q"."ts" < "w"."to"`
  await replace(db, { table: 'telemetry1d', windows, pieces, bucket: sql`"p"."day"` })
  return days.length
}

/** Newly filled tables have no statistics yet, and a wrong plan here reads all rows for each hour. */
const byIndex = sql.raw(
  ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((way) => `set local enable_${way} = off`).join('; '),
)

type Step = (db: Queryable, limit: number) => Promise<number>

async function untilDone(database: Database, step: Step, signal: AbortSignal | undefined): Promise<number> {
  const limit = atOnce[database.kind]
  for (let total = 0; ; ) {
    const done = await inTransaction(database, async (db) => {
      await byIndex.execute(db)
      return step(db, limit)
    })
    total += done
    if (done < limit || signal?.aborted) return total
  }
}

/**
 * Rolls up every completed open hour and day: 5 minutes and hours from samples, days from 5 minutes. Idempotent and safe to run
 * concurrently; late samples reopen their hours. Returns the number of rolled-up board hours and days.
 */
export async function rollUp(database: Database, now: Date, signal?: AbortSignal): Promise<{ hours: number; days: number }> {
  const hours = await untilDone(database, (db, limit) => rollHours(db, now, limit), signal)
  return { hours, days: await untilDone(database, (db, limit) => rollDays(db, now, limit), signal) }
}
