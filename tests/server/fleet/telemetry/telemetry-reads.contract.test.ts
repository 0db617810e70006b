import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bucketOf, mostPoints } from '#server/fleet/telemetry/bucket-rule.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { readSeries } from '#server/fleet/telemetry/read-series.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { type RolledTable, rolledColumns } from '#server/fleet/telemetry/roll-up-sql.ts'
import { chartChannels } from '#server/fleet/telemetry/sample-columns.ts'
import { always } from '#server/fleet/telemetry/telemetry-subject.ts'
import { channelOf } from '#server/frames/channels.ts'
import { healthy } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const day = 86_400_000
/** Samples of the open hour; those of ten minutes before it with the one before these; the first and the last of them are looked for. */
const openHour = 12 + 3 + 2
const zone = 'Europe/Moscow'
const channels = ['socPct', 'loadEnergyWh'].flatMap((name) => channelOf(name) ?? [])

/** All columns have a value: the planner weighs rows as wide as those of a real board. */
const rolled = rolledColumns(chartChannels)

describe.each(engines)('a chart of a board with a year of samples on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  const now = new Date('2026-03-02T12:00:00Z')
  const today = new Date('2026-03-01T21:00:00Z')
  const first = new Date(today.getTime() - 365 * day)

  const insertRolled = (table: RolledTable, step: string) =>
    server.rows(`insert into "${table}" ("controlPcbId", "ts", "seconds"${rolled.map((name) => `, "${name}"`).join('')})
      select '${board.id}', "ts", 300${rolled.map((_, index) => `, ${index}`).join('')}
      from generate_series('${first.toISOString()}'::timestamptz, '${today.toISOString()}'::timestamptz - interval '1 ms', '${step}') as "ts"`)

  beforeAll(async () => {
    server = await openBoardServer(engine, { at: now })
    board = await server.addBoard({ timezone: zone })
    await ensurePartitions(server.database, first, now)
    await insertRolled('telemetry5m', '5 min')
    await insertRolled('telemetry1h', '1 hour')
    await insertRolled('telemetry1d', '1 day')
    const times = Array.from({ length: 15 * 12 }, (_, index) => new Date(today.getTime() + index * 300_000))
    const facts = { controlPcbId: board.id, essId: board.essId, packageId: null }
    await inTransaction(server.database, (db) =>
      insertSamples(
        db,
        times.map((at) => ({ ...facts, receivedAt: at, sample: { at, quality: 'GOOD', values: healthy } })),
      ),
    )
    await rollUp(server.database, now)
    await server.rows('analyze')
  }, 120_000)
  afterAll(() => server?.close())

  /** How many rows of each table this session has fetched. */
  const fetchedBy = async (db: Queryable): Promise<Record<string, number>> => {
    const rows = await rowsOf(
      db,
      sql<{
        name: string
        rows: number
      }>`select "relname" as "name", coalesce("seq_tup_read", 0) + coalesce("idx_tup_fetch", 0) as "rows"
        from pg_stat_xact_user_tables where "relname" like 'telemetry%' and "relname" not like 'telemetryOpen%'`,
    )
    const counts: Record<string, number> = {}
    // Months of rolled-up rows count as their table.
    for (const { name, rows: count } of rows.map((row) => ({
      ...row,
      name: row.name.replace(/^(telemetry(?:5m|1h))_.*/, '$1'),
    })))
      counts[name] = (counts[name] ?? 0) + count
    return counts
  }

  /** The buckets of the chart that have samples, and the rows of each table that were fetched for it. */
  const readBack = (rangeMs: number) =>
    inTransaction(server.database, async (db) => {
      const from = new Date(today.getTime() - rangeMs)
      const asked = {
        fromMs: from.getTime(),
        toMs: now.getTime(),
        points: mostPoints,
        nowMs: now.getTime(),
        reportIntervalS: 300,
      }
      const segments = [{ controlPcbId: board.id, ...always }]
      const before = await fetchedBy(db)
      const rows = await readSeries(db, { segments, channels, from, to: now, bucket: bucketOf(asked), zone })
      const grown = Object.entries(await fetchedBy(db)).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      return {
        buckets: rows.filter((row) => row.first !== null).length,
        fetched: Object.fromEntries(grown.filter(([, count]) => count > 0)),
      }
    })

  it('of a year fetches a row a day, and of today its rows of 5 minutes and the samples of the open hour', async () => {
    const { buckets, fetched } = await readBack(365 * day)
    expect(buckets).toBe(366)
    expect(fetched).toEqual({ telemetry1d: 365, telemetry5m: 14 * 12, telemetry_2026_03: openHour })
  })

  it.each([
    ['a month', 30 * day, { telemetry1h: 30 * 24 + 14 }],
    ['a week', 6 * day, { telemetry5m: (6 * 24 + 14) * 12 }],
    ['a day', day, { telemetry5m: (24 + 14) * 12 }],
  ])('of %s fetches what is drawn, and the samples of the open hour', async (_, rangeMs, rows) => {
    expect((await readBack(rangeMs)).fetched).toEqual({ ...rows, telemetry_2026_03: openHour })
  })
})
