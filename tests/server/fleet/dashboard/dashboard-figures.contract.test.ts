import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { type StaffSummary, summarySchema } from '#schema/wire/summary.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

const hourMs = 3_600_000
/** Figures are kept for a second. */
const keptMs = 1_000

type Trouble = {
  severity?: string
  agoH?: number
  acknowledged?: boolean
  suppressed?: boolean
  active?: boolean
  essId?: string
}
type Site = { id: string; code: string; ratedEnergyWh: number; boardId: string }

describe.each(oneEngine(import.meta.filename))('the figures of the first page on $name', (engine) => {
  let server: FleetServer
  let sites: Site[]
  beforeAll(async () => {
    server = await FleetServer.open(engine)
    sites = await server.rows<Site>(`select e."id", e."code", e."ratedEnergyWh", b."id" as "boardId" from "ess" e
      join "control_pcb" b on b."essId" = e."id" and b."role" = 'MAIN' order by e."code"`)
    await server.rows(`update "boardState" set "sample" = null, "lastSampleAt" = null`)
    await server.rows(`delete from "telemetry_warning"`)
  }, 120_000)
  afterAll(() => server?.close())

  async function summary({ role = 'admin', zone = 'UTC' }: { role?: Role; zone?: string } = {}): Promise<StaffSummary> {
    await new Promise((resolve) => setTimeout(resolve, keptMs + 100))
    const { status, body } = await server.call('GET', `dashboard/summary?zone=${zone}`, { token: await server.as(role) })
    expect(status).toBe(200)
    const found = summarySchema.parse(body)
    if (found.view !== 'staff') throw new Error(found.view)
    return found
  }
  const chartsOf = async (zone: string) =>
    (await summary({ zone })).charts ?? expect.fail('a small fleet has its charts at once')
  const total = async (path: string) => {
    const { headers, status } = await server.call('GET', `${path}&_end=1`, { token: await server.as('admin') })
    expect(status).toBe(200)
    return Number(headers['x-total-count'])
  }
  const site = (index: number): Site => sites[index] ?? expect.fail(`there are ${sites.length} sites`)

  async function addWarning({ severity = 'WARNING', agoH = 1, essId, ...flags }: Trouble): Promise<string> {
    const id = uuidv7()
    const { acknowledged = false, suppressed = false, active = true } = flags
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "trip", "latched", "source", "essId", "startedAt", "raisedAt",
      "lastSeenAt", "occurrences", "active", "acknowledged", "comments", "suppressed", "flapping") select '${id}', 'DOOR_OPEN', '${severity}', false,
      false, 'BOARD', ${essId ? `'${essId}'` : 'null'}, at, at, at, 1, ${active}, ${acknowledged}, '[]', ${suppressed}, false
      from (select now() - interval '${agoH} hours' as at) "when"`)
    return id
  }
  const report = (boardId: string, values: Record<string, number | null>, ago = '1 minute') => {
    const sample = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, { value, unit: '', quality: 'GOOD' }]),
    )
    return server.rows(`insert into "boardState" ("controlPcbId", "sample", "lastSampleAt")
      values ('${boardId}', '${JSON.stringify(sample)}', now() - interval '${ago}') on conflict ("controlPcbId")
      do update set "sample" = excluded."sample", "lastSampleAt" = excluded."lastSampleAt"`)
  }

  it('say what the systems that are heard hold and do, and count them by charge as the list does', async () => {
    const values = { pvPowerW: 1_000, loadPowerW: 3_000, batteryPowerW: -500, gridPowerW: 2_500 }
    await report(site(0).boardId, { socPct: 19.9, energyAvailableWh: 2_000, ...values })
    await report(site(1).boardId, { socPct: 20, energyAvailableWh: 3_000, ...values, gridPowerW: null })
    await report(site(2).boardId, { socPct: 100, energyAvailableWh: 5_000, ...values })
    await report(site(3).boardId, { socPct: 50, energyAvailableWh: 9_000, ...values }, '16 minutes')
    await report(site(4).boardId, { socPct: null, energyAvailableWh: 9_000, ...values })
    const rate = (ratedEnergyWh: number) =>
      server.rows(`update "ess" set "ratedEnergyWh" = ${ratedEnergyWh} where "id" = '${site(2).id}'`)
    await rate(2_000_000)
    const { fleet } = await summary()
    await rate(site(2).ratedEnergyWh)
    const flowOf = async (index: number) => {
      const { body } = await server.call('GET', `ess?code=${site(index).code}`, { token: await server.as('admin') })
      return Object.values(body).map((row) => Object(row).flow)
    }
    expect(await flowOf(1)).toEqual([{ ...values, gridPowerW: null }])
    expect(await flowOf(3), 'a silent one').toEqual([null])
    const ratedWh = [site(0).ratedEnergyWh, site(1).ratedEnergyWh, 2_000_000]
    const rated = ratedWh.reduce((sum, wh) => sum + wh, 0)
    expect(fleet).toMatchObject({
      ...{ systems: 4, storedWh: 19_000, ratedWh: rated + site(4).ratedEnergyWh, pvPowerW: 4_000, loadPowerW: 12_000 },
      ...{ batteryPowerW: -2_000, gridPowerW: 7_500 },
    })
    // A large site weighs more than a home.
    const held = [19.9, 20, 100].reduce((sum, pct, index) => sum + pct * (ratedWh[index] ?? 0), 0)
    expect(fleet.socPct).toBeCloseTo(held / rated, 6)
    expect(fleet.soc.map(({ count }) => count)).toEqual([0, 1, 1, 0, 0, 0, 0, 0, 0, 1])
    expect(await total(`ess?${fleet.query}`)).toBe(3)
    for (const { from, to, count } of fleet.soc) expect(await total(`ess?socPct_gte=${from}&socPct_lte=${to}`)).toBe(count)
  })

  it('put first what is severe, large and old, half as high once acknowledged, and leave out what is muted or over', async () => {
    const bySize = sites.toSorted((a, b) => a.ratedEnergyWh - b.ratedEnergyWh)
    const [small, large] = [bySize[0] ?? site(0), bySize.at(-1) ?? site(0)]
    const weights: Record<string, number> = { INFO: 1, WARNING: 10, CRITICAL: 100 }
    const troubles = [
      { severity: 'INFO', agoH: 500, essId: large.id },
      { severity: 'WARNING', agoH: 1, essId: small.id },
      { severity: 'WARNING', agoH: 1, essId: large.id },
      { severity: 'WARNING', agoH: 71, essId: small.id },
      { severity: 'WARNING', agoH: 100, essId: small.id },
      { severity: 'CRITICAL', agoH: 0, essId: small.id },
      { severity: 'CRITICAL', agoH: 0, essId: small.id, acknowledged: true },
      { severity: 'CRITICAL', agoH: 2 },
    ]
    const scores = new Map<string, number>()
    const kwhOf = (essId: string | undefined) => (sites.find(({ id }) => id === essId)?.ratedEnergyWh ?? 0) / 1000
    for (const trouble of troubles) {
      const { severity, agoH, essId, acknowledged } = trouble
      const ratedKwh = kwhOf(essId)
      const whole = (weights[severity] ?? 0) * (1 + Math.log2(1 + ratedKwh / 10)) * (1 + Math.min(agoH, 72) / 24)
      scores.set(await addWarning(trouble), acknowledged ? whole / 2 : whole)
    }
    await addWarning({ severity: 'CRITICAL', agoH: 70, suppressed: true })
    await addWarning({ severity: 'CRITICAL', agoH: 70, active: false })
    const { attention } = await summary()
    const order = [...scores].toSorted(([, a], [, b]) => b - a)
    expect(attention.map(({ id }) => id)).toEqual(order.map(([id]) => id))
    for (const { id, score } of attention) expect(score / (scores.get(id) ?? 0)).toBeCloseTo(1, 2)
    expect(attention.find(({ ess }) => ess?.code === large.code)).toMatchObject({ board: null, acknowledged: false })
    for (const agoH of [10, 20, 30]) await addWarning({ severity: 'INFO', agoH })
    expect((await summary({ role: 'service_engineer' })).attention).toHaveLength(10)
  })

  it('count warnings by the days of the reader, as the list of that day does', async () => {
    await server.rows(`delete from "telemetry_warning"`)
    const now = new Date()
    const noon = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 3, 23, 30)
    await addWarning({ severity: 'CRITICAL', agoH: (now.getTime() - noon) / hourMs, active: false })
    await addWarning({ severity: 'INFO', agoH: 31 * 24 })
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
    for (const [zone, day] of [
      ['Etc/UTC', dayOf(noon)],
      ['Europe/Moscow', dayOf(noon + 3 * hourMs)],
    ] as const) {
      const { warnings } = await chartsOf(zone)
      expect(warnings).toHaveLength(30)
      const found = warnings.filter(({ INFO, WARNING, CRITICAL }) => INFO + WARNING + CRITICAL > 0)
      expect(found).toMatchObject([{ day, INFO: 0, WARNING: 0, CRITICAL: 1 }])
      expect(await total(`telemetry-warning?raisedAt_gte=${found[0]?.from}&raisedAt_lte=${found[0]?.to}`)).toBe(1)
    }
  })

  it('tell the past by the hour without a look at samples', async () => {
    const hour = Math.floor(Date.now() / hourMs) * hourMs
    const at = (ago: number) => `'${new Date(hour - ago * hourMs).toISOString()}'`
    await server.rows(`delete from "packageHour"`)
    const packages = (boardId: string, ago: number, counts: string) =>
      server.rows(
        `insert into "packageHour" ("controlPcbId", "hour", "valid", "partial", "invalid", "duplicate") values ('${boardId}', ${at(ago)}, ${counts})`,
      )
    await packages(site(0).boardId, 2, '50, 2, 3, 4')
    await packages(site(1).boardId, 2, '0, 0, 9, 0')
    await Promise.all([site(1).boardId, 'nobody'].map((boardId) => packages(boardId, 160, '7, 0, 0, 0')))
    const hourly = (index: number, load: number, pv: number | null) =>
      server.rows(
        `insert into "telemetry1h" ("controlPcbId", "ts", "seconds", "loadPowerWAvg", "pvPowerWAvg") values ('${site(index).boardId}', ${at(2)}, 3600, ${load}, ${pv})`,
      )
    await Promise.all([hourly(0, 1_000, 10), hourly(1, 2_500, null)])
    await server.rows('alter table "telemetry" rename to "telemetryAway"')
    // A zone that nobody has asked for yet: nothing is kept of it.
    const charts = await chartsOf('Asia/Tokyo').finally(() => server.rows('alter table "telemetryAway" rename to "telemetry"'))
    expect(charts.packages).toHaveLength(24)
    expect(charts.packages.filter(({ valid, partial, invalid }) => valid + partial + invalid > 0)).toEqual([
      { at: hour - 2 * hourMs, valid: 54, partial: 2, invalid: 12 },
    ])
    expect(charts.reporting).toHaveLength(168)
    expect(charts.reporting.filter(({ heard }) => heard > 0)).toEqual([
      { at: hour - 160 * hourMs, heard: 1, of: sites.length },
      { at: hour - 2 * hourMs, heard: 1, of: sites.length },
    ])
    expect(charts.power).toMatchObject([
      { at: hour - 2 * hourMs, systems: 2, pvPowerW: 10, loadPowerW: 3_500, gridPowerW: null },
    ])
    expect(charts.power[0]?.measured).toEqual({ pvPowerW: 1, loadPowerW: 2, batteryPowerW: 0, gridPowerW: 0 })
  })

  it('measure what reports by the systems that were in operation then, not by those of today', async () => {
    const hour = Math.floor(Date.now() / hourMs) * hourMs
    const at = (ago: number) => `'${new Date(hour - ago * hourMs).toISOString()}'`
    const attachments = await server.rows<{ id: string }>(`select "id" from "control_pcb_attachment" where "role" = 'MAIN'`)
    const ids = attachments.map(({ id }) => `'${id}'`)
    const heard = (boardId: string, ago: number) =>
      server.rows(`insert into "packageHour" ("controlPcbId", "hour", "valid") values ('${boardId}', ${at(ago)}, 9)`)
    await server.rows(`delete from "packageHour"`)
    try {
      await server.rows(`update "control_pcb_attachment" set "attachedAt" = ${at(10)} where "id" in (${ids})`)
      await server.rows(
        `update "control_pcb_attachment" set "attachedAt" = ${at(100)} where "controlPcbId" = '${site(0).boardId}'`,
      )
      await server.rows(`update "control_pcb_attachment" set "attachedAt" = ${at(100)}, "removedAt" = ${at(50)}
        where "controlPcbId" = '${site(1).boardId}'`)
      for (const [index, ago] of [
        [0, 101],
        [0, 60],
        [1, 60],
        [0, 40],
        [1, 40],
        [0, 5],
      ] as const)
        await heard(site(index).boardId, ago)
      const { reporting } = await chartsOf('Asia/Omsk')
      const of = (ago: number) => reporting.find((one) => one.at === hour - ago * hourMs)
      expect([101, 60, 40, 5].map((ago) => [of(ago)?.heard, of(ago)?.of])).toEqual([
        [0, 0],
        [2, 2],
        [1, 1],
        [1, ids.length - 1],
      ])
    } finally {
      await server.rows(
        `update "control_pcb_attachment" set "attachedAt" = '2025-01-01', "removedAt" = null where "id" in (${ids})`,
      )
    }
  })

  it('know which boards run the latest firmware that fits them', async () => {
    const newest = `insert into "firmware" ("id", "firmwareVersion", "status", "hardwareRevisions", "file")
      select '${uuidv7()}', '99.0.1', 'RELEASED', jsonb_build_array('B1'), '{}'`
    await server.rows(newest)
    const { cards } = await summary()
    const groups = cards.find(({ key }) => key === 'latest')?.groups ?? []
    const older = await server.rows<{ count: number }>(`select count(*) as "count" from "control_pcb" b join "boardState" s
      on s."controlPcbId" = b."id" where b."hardwareRevision" = 'B1' and s."firmwareVersion" is not null`)
    expect(groups.find(({ value }) => value === 'false')?.count).toBeGreaterThanOrEqual(Number(older[0]?.count))
    expect(await total('control-pcb?hardwareRevision=B1&firmware.isLatest=true')).toBe(0)
  })

  it('name the updates that failed last, the newest first', async () => {
    const add = (status: string, agoH: number) =>
      server.rows(`insert into "firmware_update" ("id", "controlPcbId", "firmwareId", "status", "toVersion", "failureCode", "finishedAt")
        select '${uuidv7()}', '${site(0).boardId}', 'none', '${status}', '2.${agoH}.0', 'FLASH', now() - interval '${agoH} hours'`)
    await server.rows(`delete from "firmware_update"`)
    for (const [status, agoH] of [
      ['FAILED', 4],
      ['SUCCEEDED', 1],
      ['ROLLED_BACK', 2],
      ['EXPIRED', 3],
    ] as const)
      await add(status, agoH)
    const { failedUpdates } = await summary()
    expect(failedUpdates.map(({ toVersion }) => toVersion)).toEqual(['2.2.0', '2.3.0', '2.4.0'])
    expect(failedUpdates[0]).toMatchObject({ status: 'ROLLED_BACK', failureCode: 'FLASH', board: { id: site(0).boardId } })
  })

  it('are of UTC for a zone that there is not, and nothing else is taken', async () => {
    expect((await chartsOf('Mars/Olympus')).warnings.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10))
    const token = await server.as('admin')
    expect((await server.call('GET', 'dashboard/summary?other=1', { token })).status).toBe(400)
  })
})
