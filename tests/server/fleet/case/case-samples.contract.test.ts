import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pruneTelemetry } from '#server/app/prune-telemetry.ts'
import type { Database } from '#server/db/connect.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const cases = 45

describe.each(oneEngine(import.meta.filename))('samples of case files on $name', (engine) => {
  let server: BoardServer
  let database: Database
  beforeAll(async () => {
    server = await openBoardServer(engine)
    database = server.database
    await ensurePartitions(database, new Date('2026-03-01'), new Date('2026-06-30'))
    const board = `('01890000-0000-7000-8000-' || lpad("n"::text, 12, '0'))`
    const time = `timestamptz '2026-03-02T12:00:00Z'`
    await server.rows(`insert into "telemetry" ("controlPcbId", "ts", "receivedAt", "quality")
      select ${board}::uuid, ${time} + "m" * interval '1 min', ${time}, 0 from generate_series(1, ${cases}) "n", generate_series(0, 9) "m"`)
    await server.rows(`insert into "case_file" ("id", "code", "warningId", "controlPcbId", "startsAt", "endsAt")
      select ${board}, 'CASE-' || "n", "n", ${board}, ${time}, ${time} + interval '5 min' from generate_series(1, ${cases}) "n"`)
  })
  afterAll(() => server.close())

  const kept = async () => (await server.rows<{ n: number }>('select count(*) as "n" from "caseSample"'))[0]?.n

  it('are left where they are while their month stays, and all kept when it goes', async () => {
    await pruneTelemetry(database, new Date('2026-05-30'))
    expect(await kept()).toBe(0)
    expect(await server.rows('select count(*) as "n" from "telemetry"')).toEqual([{ n: cases * 10 }])
    await pruneTelemetry(database, new Date('2026-06-05'))
    expect(await kept()).toBe(cases * 5)
    expect(await server.rows('select count(*) as "n" from "telemetry"')).toEqual([{ n: 0 }])
  })
})
