import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { dropMonths, ensureMonths, hasMonths } from '#server/fleet/telemetry/months.ts'
import { engines, openProductTables } from '#tests/support/databases.ts'

const limit = new Date('2025-04-01')

describe.each(engines)('months of samples that are over on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openProductTables(engine)
    await ensureMonths(database, new Date('2025-01-05'), new Date('2025-05-05'))
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
      expect(await dropMonths(database, limit)).toEqual(['telemetry_2025_01', 'telemetry_2025_02', 'telemetry_2025_03'])
    } else {
      const reader = await database.pool.connect()
      await reader.query('begin')
      await reader.query('select count(*) from "telemetry"')
      const dropping = dropMonths(database, limit)
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
    expect(await hasMonths(database, limit)).toBe(false)
  })

  it('go at the next time when the process died between taking them off and dropping them', async () => {
    await ensureMonths(database, new Date('2025-02-05'), new Date('2025-03-05'))
    await database.pool.query('alter table "telemetry" detach partition "telemetry_2025_02"')
    expect(await hasMonths(database, limit)).toBe(true)
    expect(await dropMonths(database, limit)).toEqual(['telemetry_2025_02', 'telemetry_2025_03'])
    expect(await monthsOf()).toEqual(['telemetry_2025_04', 'telemetry_2025_05'])
  })
})
