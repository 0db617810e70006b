import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rulesByResource } from '#server/app/rules.ts'
import { demoPart } from '#server/demo/demo-part.ts'
import { Simulation } from '#server/demo/simulator/simulation.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { devicePart } from '#server/fleet/device/device-part.ts'
import { telemetryPart } from '#server/fleet/telemetry/telemetry-part.ts'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

const main = `(select "b"."id"::uuid as "id", "a"."attachedAt", "e"."installedAt" from "control_pcb" "b"
  join "control_pcb_attachment" "a" on "a"."controlPcbId" = "b"."id" join "ess" "e" on "e"."id" = "b"."essId"
  where "b"."role" = 'MAIN' and "b"."lifecycle" = 'ACTIVE' and "e"."installedAt" is not null
    and not exists (select 1 from "simulatorFault" "f" where "f"."controlPcbId" = "b"."id" and "f"."endsAt" > now()))`

describe.each(oneEngine(import.meta.filename))('the past of a demo fleet on $name', (engine) => {
  let server: LiveServer
  let simulation: Simulation
  beforeAll(async () => {
    const env = { DEMO: '1', DEMO_LIVE: '0', DEMO_SIZE: '30', LOG_LEVEL: 'silent' }
    const options = { rules: rulesByResource, mailOf: mailerOf }
    const parts = [devicePart(), telemetryPart, fillingPart(options), demoPart(options)]
    server = await LiveServer.open(await openProductTables(engine), { env, parts })
    simulation = new Simulation(server.app, server.context)
    // The server is quicker than the past.
    await watchServerRules(server.database, server.context.clock())
    await simulation.tick()
    await simulation.filled
  }, 120_000)
  afterAll(async () => {
    simulation.end()
    await simulation.close()
    await server.close()
  })

  const count = async (what: string) => (await server.rows<{ n: number }>(`select count(*) as "n" from ${what}`))[0]?.n ?? 0

  it('has a year of days of every main board that is so old, each day once and none of the future', async () => {
    const years = await server.rows<{ days: number; due: number; gap: number }>(`
      select count("r"."ts") as "days", extract(day from now() - min("r"."ts"))::int as "due",
        extract(epoch from max("r"."next" - "r"."ts")) / 3600 as "gap"
      from ${main} "m" join lateral (select "ts", lead("ts") over (order by "ts") as "next" from "telemetry1d"
        where "controlPcbId" = "m"."id") "r" on true where "m"."attachedAt" < now() - interval '400 days'
        and "m"."installedAt"::date < now() - interval '400 days' group by "m"."id"`)
    expect(years.length).toBeGreaterThan(1)
    for (const { days, due, gap } of years) {
      expect(Math.abs(days - due)).toBeLessThanOrEqual(2)
      expect(due).toBeGreaterThanOrEqual(364)
      expect(gap).toBeLessThanOrEqual(25)
    }
  })

  it('goes over into the samples: charge and counters have no step', async () => {
    const seams = await server.rows<{ before: number; after: number; soc: number; ofSoc: number }>(`
      select "d"."loadEnergyWhSum" as "before", "s"."loadEnergyWh" as "after", "s"."socPct" as "soc", "h"."socPctAvg" as "ofSoc"
      from ${main} "m"
      join lateral (select * from "telemetry" where "controlPcbId" = "m"."id" order by "ts" limit 1) "s" on true
      join lateral (select sum("loadEnergyWhSum") as "loadEnergyWhSum" from "telemetry1d" where "controlPcbId" = "m"."id") "d" on true
      join lateral (select "socPctAvg" from "telemetry5m" where "controlPcbId" = "m"."id" and "ts" < "s"."ts" - interval '30 min'
        order by "ts" desc limit 1) "h" on true`)
    expect(seams.length).toBeGreaterThan(5)
    for (const { before, after, soc, ofSoc } of seams) {
      expect(after).toBeGreaterThanOrEqual(before)
      expect(Math.abs(soc - ofSoc)).toBeLessThan(45)
    }
  })

  it('tells in rows of five minutes the energy of five minutes', async () => {
    const rows = await server.rows<{ seconds: number; wh: number; meanW: number }>(`
      select "r"."seconds", "r"."loadEnergyWhSum" as "wh", "r"."loadPowerWAvg" as "meanW" from ${main} "m"
      join "telemetry5m" "r" on "r"."controlPcbId" = "m"."id" where "r"."ts" < (select min("ts") from "telemetry" where "controlPcbId" = "m"."id")`)
    expect(rows.length).toBeGreaterThan(288)
    expect(new Set(rows.map(({ seconds }) => seconds))).toEqual(new Set([300]))
    expect(rows.filter(({ wh, meanW }) => Math.abs(wh - meanW / 12) > 1)).toEqual([])
  })

  it('shows the last values of every board that was ever heard, also of those that are silent', async () => {
    expect(await count(`"boardState" where "lastSampleAt" is not null`)).toBeGreaterThan(20)
    const bare =
      await server.rows(`select "b"."code" from "boardState" "s" join "control_pcb" "b" on "b"."id" = "s"."controlPcbId"
      where "s"."lastSampleAt" is not null and "s"."sample" is null`)
    expect(bare).toEqual([])
  })

  it('has warnings of two months that are over, most of them acknowledged by people after they were raised', async () => {
    const past = `"telemetry_warning" where not "active"`
    expect(await count(past)).toBeGreaterThan(500)
    expect(await count(`${past} and "acknowledged"`)).toBeGreaterThan((await count(past)) / 2)
    expect(await count(`${past} and not ("startedAt" < "raisedAt" and "raisedAt" < "clearedAt" and "clearedAt" < now())`)).toBe(
      0,
    )
    expect(await count(`${past} and "acknowledged" and not ("acknowledgedAt" > "raisedAt" and "acknowledgedAt" < now())`)).toBe(
      0,
    )
    const days = await server.rows<{ n: number }>(
      `select count(*) as "n" from ${past} and "raisedAt" > now() - interval '30 days' group by date_trunc('day', "raisedAt")`,
    )
    expect(days.length).toBeGreaterThanOrEqual(29)
  })

  it('opens what has lasted for long at the time at which it began, and tells nobody of it as of news', async () => {
    const lost = await server.rows<{ late: number }>(`select extract(epoch from "raisedAt" - "startedAt") as "late"
      from "telemetry_warning" where "active" and "code" = 'COMM_LOST' and "startedAt" < now() - interval '1 hour'`)
    expect(lost.length).toBeGreaterThan(0)
    for (const { late } of lost) expect(late).toBeLessThan(1_000)
    const old = `"telemetry_warning" "w" where "w"."raisedAt" < now() - interval '1 hour'`
    expect(await count(`"warningNotice" where "warningId" in (select "w"."id" from ${old})`)).toBe(0)
  })

  it('has updates that brought boards to what they run, a rollout that is over, and entries of who did it', async () => {
    expect(await count(`"firmware_update" where "status" = 'SUCCEEDED'`)).toBeGreaterThan(5)
    const wrong =
      await server.rows(`select "u"."id" from "firmware_update" "u" join "boardState" "s" on "s"."controlPcbId" = "u"."controlPcbId"
      where "u"."status" = 'SUCCEEDED' and "u"."toVersion" <> "s"."firmwareVersion"`)
    expect(wrong).toEqual([])
    expect(await count(`"rollout" where "status" = 'FINISHED'`)).toBe(1)
    expect(await count(`"auditLog" where "action" = 'acknowledge' and "at" < now() - interval '1 day'`)).toBeGreaterThan(100)
    expect(await count(`"auditLog" where "at" > now()`)).toBe(0)
  })

  it('writes no entry of the past into the audit log for a fleet that an admin makes later', async () => {
    const token = await server.tokenOf('admin@example.com', server.context.config.demoPassword)
    expect((await server.call('DELETE', 'demo-fleet', { token, body: { ess: 30 } })).status).toBe(200)
    const before = await count(`"auditLog" where "at" < now() - interval '1 hour'`)
    expect((await server.call('POST', 'demo-fleet', { token, body: { seed: 3, size: 5 } })).status).toBe(200)
    for (let turns = 0; turns < 4; turns++) {
      server.pass(20)
      await simulation.tick()
    }
    await simulation.filled
    expect(await count(`"telemetry_warning" where not "active"`)).toBeGreaterThan(100)
    expect(await count(`"auditLog" where "at" < now() - interval '1 hour'`)).toBe(before)
  }, 120_000)
})
