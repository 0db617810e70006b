import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Role, roles } from '#schema/roles.ts'
import { type StaffSummary, type Summary, summarySchema } from '#schema/wire/summary.ts'
import { engines } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(engines)('the first page on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine)
  }, 120_000)
  afterAll(() => server?.close())

  const summary = async (role: Role): Promise<Summary> => {
    const { status, body } = await server.call('GET', 'dashboard/summary', { token: await server.as(role) })
    expect(status).toBe(200)
    return summarySchema.parse(body)
  }
  async function staffSummary(role: Role): Promise<StaffSummary> {
    const found = await summary(role)
    if (found.view !== 'staff') throw new Error(`${role} is shown ${found.view}`)
    return found
  }
  const totalOf = async (role: Role, resource: string, query: string) => {
    const path = resource === 'client' ? 'user/client' : resource
    const { headers, status } = await server.call('GET', `${path}?_end=1&${query}`, { token: await server.as(role) })
    expect(status).toBe(200)
    return Number(headers['x-total-count'])
  }

  it.each(['admin', 'moderator', 'service_engineer'] as const)(
    'counts for the %s what the list behind a card shows',
    async (role) => {
      const { cards, at } = await staffSummary(role)
      expect(Date.now() - Date.parse(at)).toBeLessThan(10_000)
      for (const { resource, query, count, by, groups = [] } of cards) {
        expect({ query, count }).toEqual({ query, count: await totalOf(role, resource, query) })
        for (const { value, count: size } of groups) {
          const own = value === null ? `${by}_null=true` : `${by}=${encodeURIComponent(value)}`
          expect({ own, size }).toEqual({ own, size: await totalOf(role, resource, [query, own].filter(Boolean).join('&')) })
        }
      }
    },
  )

  it('shows the fleet by connection and lifecycle, boards by firmware with the state of each version, and what is to be tidied up', async () => {
    const { cards } = await staffSummary('admin')
    expect(cards.map(({ resource, key }) => `${resource} ${key}`)).toEqual([
      'ess connection',
      'ess lifecycle',
      'ess unowned',
      'ess maintenance',
      'control-pcb firmware',
      'control-pcb connection',
      'control-pcb configuration',
      'control-pcb latest',
      'control-pcb badData',
      'control-pcb drifted',
      'control-pcb unattached',
      'telemetry-warning unacknowledged',
      'firmware-update open',
      'firmware-update failed',
      'invitation open',
      'invitation expired',
    ])
    const firmware = cards.find(({ key }) => key === 'firmware')?.groups ?? []
    expect(firmware.find(({ value }) => value === '2.0.0')?.states).toEqual(['REVOKED'])
    expect(cards.find(({ key }) => key === 'maintenance')?.count).toBe(1)
  })

  it('leaves out for an engineer what he may not list', async () => {
    const { cards } = await staffSummary('service_engineer')
    expect(cards.filter(({ resource }) => resource === 'invitation')).toEqual([])
  })

  it('tells of the changes that the caller may read, and of nothing that changed nothing', async () => {
    const admin = await server.as('admin')
    const made = await server.call('POST', 'control-pcb', {
      token: admin,
      body: { code: 'PCB-0DA5B0', uid: '0000000DA5B0', hardwareRevision: 'B1' },
    })
    expect(made.status).toBe(201)
    const { recent } = await staffSummary('admin')
    expect(recent[0]).toMatchObject({
      action: 'create',
      entityType: 'control-pcb',
      entityId: made.body.id,
      code: 'PCB-0DA5B0',
      actor: { name: 'Ada Admin' },
    })
    expect(recent.filter(({ action }) => action === 'login')).toEqual([])
    expect(recent.length).toBeLessThanOrEqual(10)
    expect((await staffSummary('moderator')).recent).toEqual([])
    expect((await staffSummary('service_engineer')).recent).toEqual([])
  })

  it('shows a client the systems that are his or shared with him, and nothing of boards or other people', async () => {
    const found = await summary('client')
    if (found.view !== 'client') throw new Error(found.view)
    const id = (await server.rows<{ id: string }>(`select "id" from "user" where "email" = 'client@example.com'`))[0]?.id
    const owned = await server.rows<{ code: string }>(`select "code" from "ess" where "ownerId" = '${id}'`)
    const shared = await server.rows<{ code: string }>(
      `select e."code" from "guest" g join "ess" e on e."id" = g."essId" where g."userId" = '${id}' and g."state" = 'ACTIVE'`,
    )
    expect(owned.length).toBeGreaterThan(0)
    expect(found.sites.map(({ code }) => code).toSorted()).toEqual([...owned, ...shared].map(({ code }) => code).toSorted())
    expect(Object.keys(found.sites[0] ?? {}).toSorted()).toEqual(
      [
        ...['id', 'code', 'name', 'relation', 'lifecycle', 'connection', 'health'],
        ...['ratedEnergyWh', 'ratedDischargePowerW', 'warrantyUntil', 'maintenanceUntil'],
        ...['measuredAt', 'stale', 'socPct', 'energyAvailableWh', 'pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'],
        ...['today', 'warnings'],
      ].toSorted(),
    )
  })

  it('takes a system off the page of a guest who was removed', async () => {
    const { id } = await server.signedIn({ email: 'guest@test.example', role: 'client' })
    const [ess] = await server.rows<{ id: string }>(`select "id" from "ess" order by "code" limit 1`)
    const token = await server.tokenOf('guest@test.example')
    const sites = async () => {
      const { body } = await server.call('GET', 'dashboard/summary', { token })
      return (body.sites as { id: string }[]).map((site) => site.id)
    }
    expect(await sites()).toEqual([])
    await server.rows(
      `insert into "guest" ("id", "essId", "userId", "access", "state") values ('g1', '${ess?.id}', '${id}', 'VIEW', 'ACTIVE')`,
    )
    expect(await sites()).toEqual([ess?.id])
    await server.rows(`update "guest" set "state" = 'REVOKED' where "id" = 'g1'`)
    expect(await sites()).toEqual([])
  })

  it('gives an installer the checklist of the systems that he is putting up', async () => {
    const [site] = await server.rows<{ id: string }>(
      `select "id" from "ess" where "lifecycle" = 'COMMISSIONING' order by "code" limit 1`,
    )
    const [self] = await server.rows<{ id: string }>(`select "id" from "user" where "email" = 'installer@example.com'`)
    await server.rows(`update "ess" set "installerId" = '${self?.id}', "ownerId" = null where "id" = '${site?.id}'`)
    const steps = async () => {
      const found = await summary('installer')
      if (found.view !== 'installer') throw new Error(found.view)
      expect(new Set(found.works.map(({ lifecycle }) => lifecycle))).not.toContain('IN_OPERATION')
      const own = found.works.find(({ id }) => id === site?.id)
      return Object.fromEntries((own?.steps ?? []).map(({ key, done }) => [key, done]))
    }
    const board = `(select "id" from "control_pcb" where "essId" = '${site?.id}' and "role" = 'MAIN')`
    await server.rows(`update "control_pcb" set "essId" = null where "essId" = '${site?.id}' and "role" <> 'MAIN'`)
    await server.rows(`update "control_pcb" set "hardwareRevision" = 'B1' where "id" = ${board}`)
    await server.rows(`update "boardState" set "lastPacketAt" = null, "lastValidPacketAt" = now() - interval '31 minutes',
      "firmwareVersion" = '2.0.0', "reportedVersion" = 0 where "controlPcbId" = ${board}`)
    expect(await steps()).toEqual({
      boardAttached: true,
      boardSeen: false,
      validData: false,
      configurationInSync: false,
      firmwareReleased: false,
      ownerSet: false,
    })
    await server.rows(`update "boardState" "s" set "lastPacketAt" = now(), "lastValidPacketAt" = now(), "firmwareVersion" = '2.1.3',
      "rejectedVersion" = null, ("reportedVersion", "reported") = (select "c"."version", "c"."desired" from "configuration" "c"
        where "c"."controlPcbId" = "s"."controlPcbId" order by "c"."version" desc limit 1) where "controlPcbId" = ${board}`)
    expect(await steps()).toMatchObject({
      boardSeen: true,
      validData: true,
      configurationInSync: true,
      firmwareReleased: true,
      ownerSet: false,
    })
    await server.rows(
      `update "ess" set "ownerId" = (select "id" from "user" where "role" = 'client' limit 1) where "id" = '${site?.id}'`,
    )
    expect(await steps()).toMatchObject({ ownerSet: true })
    await server.rows(`update "control_pcb" set "essId" = null where "id" = ${board}`)
    expect(await steps()).toMatchObject({ boardAttached: false, boardSeen: false, firmwareReleased: false, ownerSet: true })
  })

  it('answers every role, and nobody who is not signed in', async () => {
    for (const role of roles) expect((await summary(role)).at).toBeTruthy()
    expect((await server.call('GET', 'dashboard/summary')).status).toBe(401)
  })
})
