import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fleetNow } from '#server/fleet/dashboard/fleet-now.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

describe.each(oneEngine(import.meta.filename))('the sums of the fleet on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())

  /** A system of 10 kWh whose board has just reported these values. */
  async function addSite(values: Record<string, number>): Promise<void> {
    const { id, essId } = await server.addBoard()
    const sample = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
    await server.rows(`update "ess" set "ratedEnergyWh" = 10000 where "id" = '${essId}'`)
    await server.rows(`insert into "boardState" ("controlPcbId", "sample", "lastSampleAt") values ('${id}', '${JSON.stringify(sample)}', now())
      on conflict ("controlPcbId") do update set "sample" = excluded."sample", "lastSampleAt" = excluded."lastSampleAt"`)
  }

  it('are each of the systems that measure it: what is stored is rated by those, and no meter is no zero', async () => {
    const whole = { socPct: 50, energyAvailableWh: 5_000, pvPowerW: 900, loadPowerW: 700, batteryPowerW: -200, gridPowerW: 0 }
    await addSite(whole)
    await addSite({ socPct: 30, loadPowerW: 1_000, batteryPowerW: 400, gridPowerW: 600 })
    // One without a charge is in the power of the fleet, too.
    await addSite({ pvPowerW: 100, loadPowerW: 300 })
    const fleet = await fleetNow(server.database.kysely)
    expect(fleet).toMatchObject({
      ...{ systems: 3, storedWh: 5_000, ratedWh: 10_000, socPct: 40 },
      ...{ pvPowerW: 1_000, loadPowerW: 2_000, batteryPowerW: 200, gridPowerW: 600 },
      measured: { socPct: 2, storedWh: 1, pvPowerW: 2, loadPowerW: 3, batteryPowerW: 2, gridPowerW: 2 },
    })
    expect(fleet.soc.map(({ count }) => count)).toEqual([0, 0, 0, 1, 0, 1, 0, 0, 0, 0])
  })
})
