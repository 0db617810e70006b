import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { type SummarySite, summarySchema } from '#schema/wire/summary.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

type Someone = { id: string; token: string }

const minuteMs = 60_000
const insulation = { eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }

/** A zone in which it is about noon: what was measured an hour ago was measured today. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours()
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

describe.each(oneEngine(import.meta.filename))('the first page of a client on $name', (engine) => {
  let server: FleetServer
  let admin: string
  let count = 0
  let site: { essId: string; code: string; uid: string; key: string; seq: number }
  let owner: Someone
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: '0' })
    admin = await server.as('admin')
  }, 120_000)
  afterAll(() => server?.close())

  const send = async (method: 'POST' | 'PUT', path: string, body: object = {}) => {
    const answer = await server.call(method, path, { token: admin, body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const client = () => server.signedIn({ email: `owner${++count}@test.example`, role: 'client' })
  const own = (essId: string, { id }: Someone) => send('PUT', `ess/${essId}/owner`, { clientId: id })
  const sitesOf = async ({ token }: Someone): Promise<SummarySite[]> => {
    const { body } = await server.call('GET', 'dashboard/summary', { token })
    const summary = summarySchema.parse(body)
    if (summary.view !== 'client') throw new Error(summary.view)
    return summary.sites
  }
  const siteOf = async (someone: Someone) => (await sitesOf(someone))[0] as SummarySite
  /** Samples of some minutes ago, as the board sends them. */
  const measure = async (...samples: [minutesAgo: number, values: TelemetryValues][]) => {
    const frames = samples.map(([ago, values]) => {
      site.seq += 1
      return telemetryFrame(values, { seq: site.seq, time: new Date(Date.now() - ago * minuteMs), uid: site.uid })
    })
    const headers = { 'content-type': 'application/octet-stream', 'x-device-key': site.key }
    const answer = await server.app.inject({ method: 'POST', url: '/api/ingest', headers, payload: Buffer.concat(frames) })
    expect(answer.json()).toMatchObject({ accepted: frames.length })
  }

  beforeEach(async () => {
    const uid = (0x0c_11_00_00_00_00 + ++count).toString(16).padStart(12, '0').toUpperCase()
    const ess = await send('POST', 'ess', {
      code: `HOME-${String(count).padStart(5, '0')}`,
      name: 'House by the lake',
      profile: 'HOME',
      chemistry: 'LFP',
      ratedEnergyWh: 10_240,
      ratedChargePowerW: 5_000,
      ratedDischargePowerW: 5_000,
      cellsInSeries: 16,
      pvPeakPowerW: 6_000,
      location: { timezone: noonZone() },
    })
    const board = await send('POST', 'control-pcb', { code: `PCB-${uid}`, uid, hardwareRevision: 'B1', lifecycle: 'ACTIVE' })
    await send('POST', `ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
    await server.rows(
      `update "control_pcb_attachment" set "attachedAt" = now() - interval '9 days' where "essId" = '${ess.id}'`,
    )
    await server.rows(`update "boardState" set "siteSince" = now() - interval '9 days' where "controlPcbId" = '${board.id}'`)
    const { deviceKey } = await send('POST', `control-pcb/${board.id}/device-key`)
    site = { essId: String(ess.id), code: String(board.code), uid, key: String(deviceKey), seq: 0 }
    owner = await client()
    await own(site.essId, owner)
    await server.rows(`update "ess" set "ownerSince" = now() - interval '8 days' where "id" = '${site.essId}'`)
  })

  it('shows charge, flow, today and open warnings of his system, and nothing of its board', async () => {
    await measure(
      [61, { pvEnergyWh: 1_000, loadEnergyWh: 5_000, gridImportEnergyWh: 100, gridExportEnergyWh: 0 }],
      [31, { pvEnergyWh: 1_700, loadEnergyWh: 5_200, gridImportEnergyWh: 150, gridExportEnergyWh: 90 }],
      [0, { pvEnergyWh: 2_500, loadEnergyWh: 5_600, gridImportEnergyWh: 150, gridExportEnergyWh: 100, ...insulation }],
    )
    const found = await siteOf(owner)
    expect(found).toMatchObject({
      name: 'House by the lake',
      relation: 'owner',
      stale: false,
      socPct: 63.4,
      energyAvailableWh: 6_490,
      pvPowerW: 0,
      loadPowerW: 1_700,
      batteryPowerW: 1_536,
      gridPowerW: 164,
      today: { pvWh: 1_500, loadWh: 600, importWh: 50, exportWh: 100 },
      warnings: [{ code: 'INSULATION_FAULT', severity: 'CRITICAL', raisedAt: expect.stringMatching(/Z$/) }],
    })
    expect(Math.abs(Date.now() - Date.parse(String(found.measuredAt)))).toBeLessThan(2 * minuteMs)
    const { text } = await server.call('GET', 'dashboard/summary', { token: owner.token })
    for (const secret of [site.code, site.uid, 'controlPcb', 'subject', 'PCB']) expect(text).not.toContain(secret)
  })

  it('says of a system that has told nothing yet that there is nothing', async () => {
    expect(await siteOf(owner)).toMatchObject({ measuredAt: null, stale: true, socPct: null, today: null, warnings: [] })
  })

  it('hides from a new owner what was measured before the system was his, in figures, energy and times', async () => {
    const since = Date.now()
    await measure([50, { pvEnergyWh: 1_000, socPct: 20 }], [40, { pvEnergyWh: 2_000, socPct: 21, ...insulation }])
    const next = await client()
    await own(site.essId, next)
    const [ess] = await server.rows<{ ownerSince: string }>(`select "ownerSince" from "ess" where "id" = '${site.essId}'`)
    expect(Date.parse(ess?.ownerSince ?? '')).toBeGreaterThanOrEqual(since)
    expect(await sitesOf(owner)).toEqual([])
    const nothing = { measuredAt: null, socPct: null, pvPowerW: null, today: null }
    const seen = await siteOf(next)
    expect(seen).toMatchObject(nothing)
    // The present fault is shown; its beginning is not.
    expect(seen.warnings[0]).toEqual({ code: 'INSULATION_FAULT', severity: 'CRITICAL', raisedAt: null })
    expect(seen.warnings.filter(({ raisedAt }) => raisedAt !== null)).toEqual([])
    const newest = await server.call('GET', `ess/${site.essId}/last-telemetry`, { token: next.token })
    expect(newest.body).toMatchObject({ at: null, stale: true, channels: {} })
    expect((await server.call('GET', `ess/${site.essId}/last-telemetry`, { token: admin })).body).toHaveProperty(
      'channels.socPct',
    )

    // Half an hour passes.
    await server.rows(`update "ess" set "ownerSince" = "ownerSince" - interval '30 minutes' where "id" = '${site.essId}'`)
    await measure([20, { pvEnergyWh: 2_900, socPct: 50 }], [10, { pvEnergyWh: 3_000 }], [0, { pvEnergyWh: 3_030, socPct: 52 }])
    expect(await siteOf(next)).toMatchObject({ socPct: 52, today: { pvWh: 130 } })
  })

  it('does not take for his what a board measured at another site before it came', async () => {
    await measure([30, { pvEnergyWh: 1_000 }], [20, { pvEnergyWh: 1_500 }])
    await server.rows(
      `update "control_pcb_attachment" set "attachedAt" = now() - interval '10 minutes' where "essId" = '${site.essId}'`,
    )
    expect(await siteOf(owner)).toMatchObject({ measuredAt: null, today: null })
    await measure([5, { pvEnergyWh: 1_900 }], [0, { pvEnergyWh: 1_960 }])
    expect(await siteOf(owner)).toMatchObject({ today: { pvWh: 60 } })
  })
})
