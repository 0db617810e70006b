import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import { powerIn } from '#server/fleet/dashboard/hourly-counts.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

describe.each(engines)('the power of the fleet by hour on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine)
  })
  afterAll(() => server.close())

  it('stays that of the main boards of each hour when boards come and go later', async () => {
    const [left, came, silent] = [await server.addBoard(), await server.addBoard(), await server.addBoard()]
    const row = (id: string, hour: string, seconds: number, loadPowerW: number | null) =>
      server.rows(`insert into "telemetry1h" ("controlPcbId", "ts", "seconds", "loadPowerWAvg")
        values ('${id}', '2026-03-02T${hour}:00:00Z', ${seconds}, ${loadPowerW})`)
    for (const hour of ['08', '09']) {
      await row(left.id, hour, 3_600, 1_000)
      await row(came.id, hour, 3_600, 300)
      // What its counters grew by over a silence says nothing of its power.
      await row(silent.id, hour, 0, null)
    }
    const moved = '2026-03-02T09:30:00Z'
    await server.rows(`update "control_pcb_attachment" set "removedAt" = '${moved}' where "controlPcbId" = '${left.id}'`)
    await server.rows(`update "control_pcb" set "essId" = null, "role" = null where "id" = '${left.id}'`)
    await server.rows(`update "control_pcb_attachment" set "attachedAt" = '${moved}' where "controlPcbId" = '${came.id}'`)
    const span = { from: sql`'2026-03-02T08:00:00Z'::timestamptz`, to: sql`'2026-03-02T10:00:00Z'::timestamptz` }
    const hours = await rowsOf(server.database.kysely, sql`select * from (${powerIn(span)}) "p" order by "hour"`)
    expect(hours).toMatchObject([
      { systems: 1, loadPowerW: 1_000 },
      { systems: 1, loadPowerW: 300 },
    ])
  })
})
