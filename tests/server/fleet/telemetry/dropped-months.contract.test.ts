import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { dropPartitions, ensurePartitions, hasPartitions, prune } from '#server/fleet/telemetry/monthly-partitions.ts'
import { partitionRolled } from '#server/fleet/telemetry/telemetry-tables.ts'
import { engines, openProductTables } from '#tests/support/databases.ts'

const limit = new Date('2025-04-01')

describe.each(engines)('months of samples that are over on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openProductTables(engine)
    await ensurePartitions(database, new Date('2025-01-05'), new Date('2025-05-05'))
  })
  afterAll(() => database.close())

  const monthsOf = async () => {
    const rows = await rowsOf(
      database.kysely,
      sql<{
        name: string
      }>`select "relname" as "name" from pg_class where "relname" like 'telemetry_2025%' and "relkind" = 'r' order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  const store = (at: string) =>
    sql`insert into "telemetry" ("controlPcbId", "ts", "receivedAt", "quality") values ('018f0000-0000-7000-8000-000000000001', ${at}, ${at}, 0)`.execute(
      database.kysely,
    )

  it('go while others read and write, who wait for nothing', async () => {
    await store('2025-01-10T00:00:00Z')
    await store('2025-05-01T00:00:00Z')
    if (database.kind === 'embedded') {
      expect(await dropPartitions(database, limit)).toEqual(['telemetry_2025_01', 'telemetry_2025_02', 'telemetry_2025_03'])
    } else {
      const reader = await database.pool.connect()
      await reader.query('begin')
      await reader.query('select count(*) from "telemetry"')
      const dropping = dropPartitions(database, limit)
      const waiting = sql<{ n: number }>`select count(*) as "n" from pg_stat_activity
        where "datname" = current_database() and "wait_event_type" = 'Lock' and ("query" like 'drop %' or "query" like 'alter %')`
      await expect.poll(async () => (await rowsOf(database.kysely, waiting))[0]?.n).toBe(1)
      const started = performance.now()
      await store('2025-05-02T00:00:00Z')
      expect(performance.now() - started).toBeLessThan(2_000)
      await reader.query('commit')
      reader.release()
      expect(await dropping).toEqual(['telemetry_2025_01', 'telemetry_2025_02', 'telemetry_2025_03'])
    }
    expect(await monthsOf()).toEqual(['telemetry_2025_04', 'telemetry_2025_05'])
    expect(await hasPartitions(database, limit)).toBe(false)
  })

  it('go at the next time when the process died between taking them off and dropping them', async () => {
    await ensurePartitions(database, new Date('2025-02-05'), new Date('2025-03-05'))
    await database.pool.query('alter table "telemetry" detach partition "telemetry_2025_02"')
    expect(await hasPartitions(database, limit)).toBe(true)
    expect(await dropPartitions(database, limit)).toEqual(['telemetry_2025_02', 'telemetry_2025_03'])
    expect(await monthsOf()).toEqual(['telemetry_2025_04', 'telemetry_2025_05'])
  })

  describe('rolled up', () => {
    const board = '018f0000-0000-7000-8000-000000000001'
    const put = (at: string) =>
      sql`insert into "telemetry1h" ("controlPcbId", "ts", "seconds") values (${board}, ${at}, 3600)`.execute(database.kysely)
    const left = async () => {
      const rows = await rowsOf(
        database.kysely,
        sql<{
          at: string
          place: string
        }>`select "ts" as "at", tableoid::regclass::text as "place" from "telemetry1h" order by "ts"`,
      )
      return rows.map(({ at, place }) => `${at.slice(0, 7)} in ${place.replaceAll('"', '')}`)
    }
    const pruneAt = (now: string) => prune(database, new Date(now), async () => {})

    it('go after 13 months, by whole months', async () => {
      await put('2025-02-10T00:00:00Z')
      await put('2025-03-10T00:00:00Z')
      await pruneAt('2026-04-20T00:00:00Z')
      expect(await left()).toEqual(['2025-03 in telemetry1h_2025_03'])
    })

    it('stay where they are when the table gets its months, and go from there', async () => {
      const client = await database.pool.connect()
      try {
        await client.query(`drop table "telemetry1h"; drop table "telemetry5m"`)
        for (const table of ['telemetry1h', 'telemetry5m'])
          await client.query(`create table "${table}" ("controlPcbId" uuid not null, "ts" timestamptz(3) not null, "seconds" float4 not null,
            primary key ("controlPcbId", "ts")); create index "${table}_ts_ix" on "${table}" using brin ("ts")`)
        for (const at of ['2025-02-10', '2025-11-10', '2025-12-20'])
          await client.query(`insert into "telemetry1h" values ('${board}', '${at}', 3600)`)
        await partitionRolled(client)
      } finally {
        client.release()
      }
      await ensurePartitions(database, new Date('2025-12-05'), new Date('2026-02-05'))
      await put('2025-12-30T00:00:00Z')
      await put('2026-01-10T00:00:00Z')
      const former = 'telemetry1h_until_2026_01'
      const later = [`2025-11 in ${former}`, `2025-12 in ${former}`, `2025-12 in ${former}`, '2026-01 in telemetry1h_2026_01']
      expect(await left()).toEqual([`2025-02 in ${former}`, ...later])
      await pruneAt('2026-04-20T00:00:00Z')
      expect(await left()).toEqual(later)
      await pruneAt('2027-02-20T00:00:00Z')
      expect(await left()).toEqual(['2026-01 in telemetry1h_2026_01'])
    })
  })
})
