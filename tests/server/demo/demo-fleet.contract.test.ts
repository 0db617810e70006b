import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rulesByResource } from '#server/app/rules.ts'
import { demoPart } from '#server/demo/demo-part.ts'
import { Simulation } from '#server/demo/simulator/simulation.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { demoDeviceKey, setDeviceKeys } from '#server/fleet/board/device-key.ts'
import { devicePart } from '#server/fleet/device/device-part.ts'
import { telemetryPart } from '#server/fleet/telemetry/telemetry-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

const dayS = 86_400

describe.each(oneEngine(import.meta.filename))('a demo fleet that an admin makes on $name', (engine) => {
  let server: LiveServer
  let simulation: Simulation
  beforeAll(async () => {
    const env = { DEMO: '1', DEMO_LIVE: '0', DEMO_SIZE: '5', DEMO_SEED: '1', LOG_LEVEL: 'silent' }
    const options = { rules: rulesByResource, mailOf: mailerOf }
    const parts = [devicePart(), telemetryPart, fillingPart(options), demoPart(options)]
    server = await LiveServer.open(await openProductTables(engine), { env, parts })
    // The past begins with a day: near midnight the tests would see the next one begin.
    server.pass((1.5 * dayS - ((server.now / 1000) % dayS)) % dayS)
    simulation = new Simulation(server.app, server.context)
  }, 120_000)
  afterAll(async () => {
    simulation.end()
    await simulation.close()
    await server.close()
  })

  const call = async (method: 'POST' | 'DELETE', body: object) => {
    const token = await server.tokenOf('admin@example.com', server.context.config.demoPassword)
    return server.call(method, 'demo-fleet', { token, body })
  }
  const count = async (what: string) => (await server.rows<{ n: number }>(`select count(*) as "n" from ${what}`))[0]?.n ?? 0
  /**
   * Lets the boards play until each has had its tick. They join when their past is written, which takes the machine its time.
   */
  async function play(seconds: number): Promise<void> {
    server.pass(20)
    await simulation.tick()
    await simulation.filled
    for (let at = 0; at < seconds; at += 5) {
      server.pass(5)
      await simulation.tick()
    }
  }
  const oldestDays = async () => {
    const [row] = await server.rows<{ s: number }>(`select extract(epoch from min("ts")) as "s" from "telemetry"`)
    return (server.now / 1000 - Number(row?.s)) / dayS
  }

  it('has no more of the past than the database bears', async () => {
    expect((await call('DELETE', { ess: 5 })).status).toBe(200)
    for (const body of [{ days: 31 }, { days: 0 }, { days: 5, size: 500 }]) {
      const { status, body: answer } = await call('POST', { seed: 7, size: 5, ...body })
      expect({ status, fields: Object.keys(Object(answer.fields)) }, JSON.stringify(body)).toEqual({
        status: 400,
        fields: ['days'],
      })
    }
    expect(await count('"ess"')).toBe(0)
  })

  it('has as many days of history as were asked for, and is well where no faults were, whatever its seed', async () => {
    expect((await call('POST', { seed: 7, size: 5, days: 4, faults: false })).status).toBe(200)
    await play(1_300)
    expect(Math.floor(await oldestDays())).toBe(4)
    expect(await count('"simulatorFault"')).toBe(0)
    const played = `"control_pcb" "b" where "b"."essId" is not null and "b"."lifecycle" in ('ACTIVE', 'QUARANTINED')`
    const heard = `(select distinct "controlPcbId" from "package" where "status" = 'VALID') "x"`
    expect(await count(heard)).toBe(await count(played))
    expect(await count(`"package" where "status" = 'INVALID'`)).toBe(0)
  }, 120_000)

  it('plays its own boards only, and goes without a trace of or at those of others', async () => {
    const own = { id: '01890000-0000-7000-8000-0000000000b1', uid: '001A000000F1' }
    await server.rows(`insert into "ess" ("id", "code", "name", "profile", "chemistry", "ratedEnergyWh", "ratedChargePowerW", "ratedDischargePowerW",
        "cellsInSeries", "pvPeakPowerW", "gridConnectionLimitW", "location", "lifecycle")
      values ('${own.id}', 'ESS-900001', 'Real', 'HOME', 'LFP', 10240, 5000, 5000, 16, 6000, 11000, '{"timezone": "Europe/Moscow"}', 'IN_OPERATION')`)
    await server.rows(`insert into "control_pcb" ("id", "code", "uid", "hardwareRevision", "lifecycle", "essId", "role")
      values ('${own.id}', 'PCB-900001', '${own.uid}', 'B1', 'ACTIVE', '${own.id}', 'MAIN')`)
    // A key that follows from the seed was given to such boards before.
    await setDeviceKeys(server.database.kysely, new Map([[own.id, demoDeviceKey(7, own.uid)]]), {
      isDemo: true,
      now: server.context.clock(),
      by: null,
    })
    expect((await call('DELETE', { ess: 5 })).status).toBe(200)
    expect((await call('POST', { seed: 7, size: 5, faults: false })).status).toBe(200)
    await play(300)
    const ofBoard = `"controlPcbId" = '${own.id}'`
    for (const table of ['package', 'telemetry', 'boardState', 'simulatorFault', 'deviceKey'])
      expect(await count(`"${table}" where ${ofBoard}`), table).toBe(0)
    const shown = async (id: string) => {
      const token = await server.tokenOf('admin@example.com', server.context.config.demoPassword)
      return (await server.call('GET', `control-pcb/${id}`, { token })).body
    }
    expect((await shown(own.id)).simulated).toBe(false)
    const [played] = await server.rows<{ id: string }>(`select "controlPcbId" as "id" from "deviceKey" limit 1`)
    expect((await shown(String(played?.id))).simulated).toBe(true)
    const before = await shown(own.id)
    expect((await call('DELETE', { ess: 5 })).status).toBe(200)
    expect(await shown(own.id)).toEqual(before)
    expect(await server.rows('select "id" from "control_pcb"')).toEqual([{ id: own.id }])
    expect(await server.rows('select "id" from "ess"')).toEqual([{ id: own.id }])
    for (const table of ['ess', 'control_pcb']) await server.rows(`delete from "${table}" where "id" = '${own.id}'`)
    expect((await call('POST', { seed: 7, size: 5, faults: false })).status).toBe(200)
  }, 120_000)

  it('has a day of it and its faults unless it is told otherwise', async () => {
    expect((await call('DELETE', { ess: 5 })).status).toBe(200)
    expect(await count('"demoFleet"')).toBe(0)
    expect((await call('POST', { seed: 8, size: 5 })).status).toBe(200)
    await play(60)
    expect(Math.floor(await oldestDays())).toBe(1)
    expect(await count('"simulatorFault"')).toBeGreaterThan(0)
  }, 120_000)
})
