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

/** A board's open hour or day. */
type Open = { controlPcbId: string; at: Date | string }

const hoursDue = (now: Date) => sql`"telemetryOpenHour" "o" where "o"."hour" <= ${new Date(now.getTime() - hourMs - graceMs)}`

/** Days are made of hours, and wait for those of their board that are open. */
const daysDue = (now: Date) => sql`"telemetryOpenDay" "o" where "o"."until" <= ${new Date(now.getTime() - graceMs)}
  and not exists (select 1 from "telemetryOpenHour" "h" where "h"."controlPcbId" = "o"."controlPcbId"
    and "h"."hour" > "o"."day" - interval '1 hour' and "h"."hour" < "o"."until")`

const isAmong = (column: string, some: readonly Open[]) => sql`("o"."controlPcbId", "o".${sql.id(column)}) in (
  select * from unnest(${sql.val(some.map(({ controlPcbId }) => controlPcbId))}::uuid[], ${sql.val(some.map(({ at }) => at))}::timestamptz[]))`

async function rollHours(db: Queryable, now: Date, some: readonly Open[]): Promise<number> {
  const hours = await rowsOf(
    db,
    sql<Segment>`delete from "telemetryOpenHour" where ("controlPcbId", "hour") in (select "o"."controlPcbId", "o"."hour"
        from ${hoursDue(now)} and ${isAmong('hour', some)} for update skip locked)
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

async function rollDays(db: Queryable, now: Date, some: readonly Open[]): Promise<number> {
  const days = await rowsOf(
    db,
    sql<Segment>`delete from "telemetryOpenDay" where ("controlPcbId", "day") in (select "o"."controlPcbId", "o"."day"
        from ${daysDue(now)} and ${isAmong('day', some)} for update of "o" skip locked)
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

type Step = {
  due: (now: Date) => Sql
  column: 'hour' | 'day'
  roll: (db: Queryable, now: Date, some: readonly Open[]) => Promise<number>
}

const steps = {
  hours: { due: hoursDue, column: 'hour', roll: rollHours },
  days: { due: daysDue, column: 'day', roll: rollDays },
} as const satisfies Record<string, Step>

/** Read at once. */
const mostListed = 5_000

/** Each board in turn, its newest first: one with thousands of open hours holds nobody up. */
const inTurns = (db: Queryable, { due, column }: Step, now: Date, most: number): Promise<Open[]> =>
  rowsOf(
    db,
    sql<Open>`select "controlPcbId", "at" from (select "o"."controlPcbId", "o".${sql.id(column)} as "at",
        row_number() over (partition by "o"."controlPcbId" order by "o".${sql.id(column)} desc) as "turn" from ${due(now)}) "open"
      order by "turn", "at" desc, "controlPcbId" limit ${most}`,
  )

/**
 * Rolls up as much as is open now. What comes meanwhile waits for the next run: a board whose late samples open the same hours again and
 * again would make a run without end.
 */
async function untilDone(database: Database, step: Step, now: Date, signal: AbortSignal | undefined): Promise<number> {
  const limit = atOnce[database.kind]
  const [open] = await rowsOf(database.kysely, sql<{ count: number }>`select count(*)::int as "count" from ${step.due(now)}`)
  let [total, left] = [0, open?.count ?? 0]
  while (left > 0) {
    const listed = await inTurns(database.kysely, step, now, Math.min(left, mostListed))
    left = listed.length === 0 ? 0 : left - listed.length
    for (let from = 0; from < listed.length; from += limit) {
      if (signal?.aborted) return total
      total += await inTransaction(database, async (db) => {
        await byIndex.execute(db)
        return step.roll(db, now, listed.slice(from, from + limit))
      })
    }
  }
  return total
}

/**
 * Rolls up every completed hour and day that is open now: 5 minutes and hours from samples, days from 5 minutes. Idempotent and safe to
 * run concurrently; late samples reopen their hours. Returns the number of rolled-up board hours and days.
 */
export async function rollUp(database: Database, now: Date, signal?: AbortSignal): Promise<{ hours: number; days: number }> {
  const hours = await untilDone(database, steps.hours, now, signal)
  return { hours, days: await untilDone(database, steps.days, now, signal) }
}
