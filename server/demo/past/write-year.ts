import { sql } from 'kysely'
import { dayMs, hourMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Readings } from '#server/demo/simulator/readings.ts'
import { type Checkpoint, RunningPlant } from '#server/demo/simulator/running-plant.ts'
import type { SimulatedBoard } from '#server/demo/simulator/simulated-board.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { type Hour, hoursOf } from './hours.ts'
import { bucketsOf, cellsOf, dayStarts, fineBucketsOf, hourStarts } from './rolled-rows.ts'

/** Days of a demo fleet that are there as rows of days, and of them as rows of hours. */
const yearDays = 365
const hourDays = 30
/** Days before the samples that are there by five minutes: the first local day may begin in them. */
const fineDays = 1

const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)

export type Year = {
  board: SimulatedBoard
  /** The first day of samples. */
  toDay: number
  attachedMs: number
  silentSinceMs: number | null
}

type Run = { heard: Hour[]; state: Checkpoint['state'] }

/** The year of a plant, the same in every run: what came of its hours until it fell silent, and its state at the end. */
function runYear({ board, toDay, attachedMs, silentSinceMs }: Year): Run | undefined {
  const { operation, facts } = board
  const { plant } = facts.plant
  const fromDay = Math.max(toDay - yearDays, plant.installedDay, Math.ceil(attachedMs / dayMs))
  if (fromDay >= toDay) return undefined
  const running = hoursOf({ plant, from: RunningPlant.firstCheckpoint(plant, fromDay), toDay, operation })
  const untilMs = silentSinceMs ?? Number.POSITIVE_INFINITY
  const heard: Hour[] = []
  for (;;) {
    const { done, value } = running.next()
    if (done) return { heard, state: value }
    if (value.fromMs + hourMs <= untilMs) heard.push(value)
  }
}

const since = (hours: readonly Hour[], fromDay: number) => hours.filter(({ fromMs }) => fromMs >= fromDay * dayMs)

async function prepareRows(database: Database, buckets: readonly { fromMs: number }[]): Promise<void> {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (first && last) await telemetryStore.prepare(database, new Date(first.fromMs), new Date(last.fromMs))
}

/**
 * Writes the year before the first day of samples by the days of the site's clock, and what the first of those days has before its
 * samples. The plant goes on from its end, so charge and counters are whole. Answers the last readings that came.
 */
export async function writeYear(database: Database, year: Year): Promise<Readings | undefined> {
  const { facts } = year.board
  const run = runYear(year)
  if (!run) return undefined
  facts.plant.startFrom({ day: year.toDay, state: run.state })
  const days = bucketsOf(run.heard, ({ localDay }) => isoDay(localDay))
  const begun = fineBucketsOf(since(run.heard, year.toDay - fineDays))
  const times = dayStarts(days, facts.plant.plant.timezone)
  await prepareRows(database, begun)
  await inTransaction(database, async (db) => {
    await telemetryStore.appendRolled(db, { step: 'day', controlPcbId: facts.id, rows: cellsOf(days), times })
    await telemetryStore.appendRolled(db, {
      step: '5 min',
      controlPcbId: facts.id,
      rows: cellsOf(begun),
      times: hourStarts(begun),
    })
  })
  return run.heard.at(-1)?.readings
}

/** The first day of samples of a site whose days are written and whose hours are not. */
export async function dayWithoutHours(db: Queryable, { facts: { id, essId } }: SimulatedBoard): Promise<number | undefined> {
  const isRolled = (step: 'day' | 'hour') =>
    telemetryStore.relations.isRolled({
      step,
      controlPcbId: sql`${id}::uuid`,
      before: sql`to_timestamp("d"."day" * 86400::float8)`,
    })
  const found = await rowOf(
    db,
    sql<{ day: number | null }>`select min("d"."day") as "day" from "simulatorDay" "d" where "d"."essId" = ${essId}
      and ${isRolled('day')} and not ${isRolled('hour')}`,
  )
  return found?.day ?? undefined
}

/** Writes the last month of that year by the hour: the most rows, which nobody looks for in the first minute. */
export async function writeHours(database: Database, year: Year): Promise<void> {
  const hours = bucketsOf(since(runYear(year)?.heard ?? [], year.toDay - hourDays), ({ fromMs }) => String(fromMs))
  const times = hourStarts(hours)
  await prepareRows(database, hours)
  await inTransaction(database, (db) =>
    telemetryStore.appendRolled(db, { step: 'hour', controlPcbId: year.board.facts.id, rows: cellsOf(hours), times }),
  )
}
