import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rulesByResource } from '#server/app/rules.ts'
import { demoPart } from '#server/demo/demo-part.ts'
import { injectFaults } from '#server/demo/simulator/fault-store.ts'
import { Simulation } from '#server/demo/simulator/simulation.ts'
import { devicePart } from '#server/fleet/device/device-part.ts'
import { advanceUpdates } from '#server/fleet/firmware/updates/advance-updates.ts'
import { observeUpdates } from '#server/fleet/firmware/updates/observe-updates.ts'
import { telemetryPart } from '#server/fleet/telemetry/telemetry-part.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

type Board = { id: string; code: string; firmwareVersion: string }

describe.each(oneEngine(import.meta.filename))('the demo fleet on $name', (engine) => {
  let server: LiveServer
  let simulation: Simulation
  const observers = [observeUpdates, observeSamples]

  beforeAll(async () => {
    const env = { DEMO: '1', DEMO_LIVE: '0', DEMO_SIZE: '40', LOG_LEVEL: 'silent' }
    const parts = [devicePart({ observers }), telemetryPart, demoPart({ rules: rulesByResource, mailOf: mailerOf })]
    server = await LiveServer.open(await openProductTables(engine), { env, parts })
    simulation = new Simulation(server.app, server.context)
  }, 120_000)
  afterAll(async () => {
    simulation.end()
    await simulation.close()
    await server.close()
  })

  /** Lets time pass, a tick after every few seconds. */
  async function pass(seconds: number, step = 5): Promise<void> {
    for (let at = 0; at < seconds; at += step) {
      server.pass(step)
      await simulation.tick()
    }
  }
  /** Signs in again each time: more time passes than a session lives. */
  const asAdmin = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const token = await server.tokenOf('admin@example.com', server.context.config.demoPassword)
    return server.call(method, path, { token, ...(body ? { body } : {}) })
  }
  const well = async (): Promise<Board[]> =>
    server.rows<Board>(`select "b"."id", "b"."code", "s"."firmwareVersion" from "control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      where "b"."role" = 'MAIN' and "b"."lifecycle" = 'ACTIVE' and ("s"."sample"->'socPct'->>'value')::float8 >= 20 and not exists (select 1 from "simulatorFault" "f" where "f"."controlPcbId" = "b"."id" and "f"."endsAt" > now())
      and not exists (select 1 from "firmware_update" "u" where "u"."controlPcbId" = "b"."id" and "u"."finishedAt" is null) order by "b"."code"`)
  const count = async (what: string) => (await server.rows<{ n: number }>(`select count(*) as "n" from ${what}`))[0]?.n ?? 0

  it('gets a past of a day at least, then speaks by real packets that are sound', async () => {
    await simulation.tick()
    await simulation.filled
    await pass(130)
    const [past] = await server.rows<{ hours: number; boards: number }>(
      `select extract(epoch from max("ts") - min("ts")) / 3600 as "hours", count(distinct "controlPcbId") as "boards" from "telemetry"`,
    )
    expect(past?.hours).toBeGreaterThanOrEqual(24)
    expect(past?.boards).toBeGreaterThanOrEqual(8)
    const boards = await count(`"control_pcb" where "essId" is not null`)
    expect(await count(`(select distinct "controlPcbId" from "package" where "type" = 'TELEMETRY') "x"`)).toBeGreaterThan(
      boards / 2,
    )
    const doubtful = await server.rows<{ status: string; reason: string[] }>(
      `select "status", "reason" from "package" where "status" in ('PARTIAL', 'INVALID') and "controlPcbId" not in (select "controlPcbId" from "simulatorFault")`,
    )
    expect(doubtful).toEqual([])
    expect(
      await count(
        `"telemetry_warning" where "packageId" is not null and "code" not in ('CLOCK_DRIFT', 'REBOOT_LOOP', 'INSULATION_FAULT', 'DOOR_OPEN', 'CELL_UNDER_VOLT', 'CELL_IMBALANCE', 'OFF_GRID', 'OVER_TEMP')`,
      ),
    ).toBe(0)
  }, 120_000)

  it('obeys a configuration', async () => {
    const [board] = await well()
    const { body } = await asAdmin('GET', `control-pcb/${board?.id}/configuration`)
    const desired = { ...Object(body.desired), reportIntervalS: 30, socMinPct: 15 }
    const put = await asAdmin('PUT', `control-pcb/${board?.id}/configuration`, {
      baseVersion: body.desiredVersion,
      desired,
    })
    expect([put.status, put.body.config]).toMatchObject([200, { state: 'PENDING' }])
    await pass(30)
    expect((await asAdmin('GET', `control-pcb/${board?.id}`)).body.config).toMatchObject({ state: 'IN_SYNC' })
  }, 60_000)

  it('hears what was asked of a board while it was away, and tells what a person sets at the board itself', async () => {
    const [board] = await well()
    const { kysely } = server.database
    const suffers = (kind: 'COMMS_LOSS' | 'LOCAL_CHANGE', lastsS: number) =>
      injectFaults(kysely, [{ controlPcbId: String(board?.id), kind, fromMs: server.now, toMs: server.now + lastsS * 1_000 }])
    const path = `control-pcb/${board?.id}/configuration`
    const current = async () => (await asAdmin('GET', path)).body
    await suffers('COMMS_LOSS', 120)
    await pass(10)
    const { desired, desiredVersion } = await current()
    const put = await asAdmin('PUT', path, { baseVersion: desiredVersion, desired: { ...Object(desired), socMinPct: 17 } })
    expect(put.status).toBe(200)
    await pass(60)
    const waiting = await current()
    expect(waiting).toMatchObject({ state: 'PENDING', drift: ['socMinPct'] })
    expect(waiting.pendingForS).toBeGreaterThanOrEqual(60)
    await pass(90)
    expect(await current()).toMatchObject({ state: 'IN_SYNC', pendingForS: null, drift: [], reported: { socMinPct: 17 } })

    await suffers('LOCAL_CHANGE', 600)
    await pass(20)
    expect(await current()).toMatchObject({ state: 'DRIFTED', drift: ['socMaxPct'], reported: { socMaxPct: 90 } })
    const again = await asAdmin('PUT', path, { baseVersion: Number(desiredVersion) + 1, desired: (await current()).desired })
    expect(again.status).toBe(200)
    await pass(30)
    expect(await current()).toMatchObject({ state: 'IN_SYNC', reported: { socMaxPct: 100 } })
  }, 120_000)

  it('installs an update to its confirmed end, and comes back with the old version where it is told to', async () => {
    const [one, other] = (await well()).filter(({ firmwareVersion }) => firmwareVersion !== '2.2.0')
    if (!one || !other) throw new Error('too few boards')
    const { kysely } = server.database
    await injectFaults(kysely, [
      { controlPcbId: other.id, kind: 'UPDATE_ROLLS_BACK', fromMs: server.now, toMs: server.now + 3_600_000 },
    ])
    await server.rows(`insert into "firmware" ("id", "firmwareVersion", "hardwareRevisions", "status", "file")
      values ('${one.id}', '9.0.0', '["A1", "A2", "B1", "B2"]', 'RELEASED', jsonb_build_object('sha256', encode(sha256(convert_to(repeat('image', 8000), 'UTF8')), 'hex'), 'sizeBytes', 40000))`)
    await server.rows(
      `insert into "firmwareFile" ("firmwareId", "content") values ('${one.id}', convert_to(repeat('image', 8000), 'UTF8'))`,
    )
    const ids: string[] = []
    for (const { id } of [one, other]) {
      const { status, body, text } = await asAdmin('POST', 'firmware-update', { controlPcbId: id, firmwareId: one.id })
      if (status !== 201) throw new Error(text)
      ids.push(String(body.id))
    }
    const stateOf = async (id: string | undefined) => (await asAdmin('GET', `firmware-update/${id}`)).body.status
    await pass(60)
    expect(await stateOf(ids[0])).not.toBe('QUEUED')
    await pass(120)
    expect([await stateOf(ids[0]), await stateOf(ids[1])]).toEqual(['CONFIRMING', 'ROLLED_BACK'])
    await pass(660, 30)
    await advanceUpdates(server.database, server.context.clock())
    expect(await stateOf(ids[0])).toBe('SUCCEEDED')
  }, 120_000)

  it('leaves a board that has a key of its own to its owner', async () => {
    const [board] = await well()
    expect((await asAdmin('POST', `control-pcb/${board?.id}/device-key`)).status).toBe(201)
    await pass(20)
    const before = await count(`"package" where "controlPcbId" = '${board?.id}'`)
    await pass(180)
    expect(await count(`"package" where "controlPcbId" = '${board?.id}'`)).toBe(before)
  }, 60_000)
})
