import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roleTable } from '#tests/fixtures/role-table.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callerWith, idsOf, Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

/** Keys of an ESS that owners, guests and installers read. */
const keysOfEss = [
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'code',
  'name',
  'model',
  'profile',
  'chemistry',
  'lifecycle',
  'ratedEnergyWh',
  'ratedChargePowerW',
  'ratedDischargePowerW',
  'pvPeakPowerW',
  'installedAt',
  'warrantyUntil',
  'location',
  'connection',
  'health',
  'maintenance',
]

describe.each(oneEngine(import.meta.filename))('people outside the staff on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let owner: Person
  let installer: Person
  let engineer: Person
  let site: { id: string }
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: '0' })
    maker = new Maker(server, await server.as('admin'))
    owner = await maker.person('client')
    installer = await maker.person('installer')
    engineer = await maker.person('service_engineer')
    site = await maker.ess({ installerId: installer.id, notes: 'the dog bites' })
    await maker.admin.put(`ess/${site.id}/owner`, { clientId: owner.id })
    await maker.assign(site.id, engineer)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await engineer.put(`ess/${site.id}/maintenance`, { until, reason: 'yearly inspection' })).status).toBe(200)
  }, 120_000)
  afterAll(() => server?.close())

  const lifecycle = (state: string) => server.rows(`update "ess" set "lifecycle" = '${state}' where "id" = '${site.id}'`)
  const sitesOf = async (who: Person, relation: string) => rowsOf(await who.get(`ess/by-user/${who.id}?relation=${relation}`))

  it('read of a system what the list of allowed keys says, and of its maintenance only until when', async () => {
    for (const [who, relation] of [
      [owner, 'owner'],
      [installer, 'installer'],
    ] as const) {
      const [shown] = await sitesOf(who, relation)
      expect(Object.keys(shown ?? {}).filter((key) => !keysOfEss.includes(key))).toEqual([])
      expect(shown?.maintenance).toEqual({ until: expect.any(String) })
      expect((await who.get(`ess/by-user/${who.id}?relation=${relation}&maintenance.reason_like=year`)).status).toBe(400)
    }
  })

  it('are told no address, name or id of anybody else by any call that is open to them', async () => {
    const others = await server.rows<{ id: string; email: string }>(`select "id", "email" from "user"`)
    const paths = Object.entries(roleTable).flatMap(([route, allowed]) =>
      route.startsWith('GET /api/') && /[*IC]/.test(allowed) && !route.includes('/events')
        ? [route.slice('GET /api/'.length)]
        : [],
    )
    expect(paths.length).toBeGreaterThan(8)
    for (const who of [owner, installer]) {
      const foreign = others.filter(({ id }) => id !== who.id)
      for (const path of paths) {
        for (const id of [who.id, site.id]) {
          const { text } = await who.get(path.replace(/:\w+/g, id))
          expect([path, foreign.filter((other) => text.includes(other.id) || text.includes(other.email))]).toEqual([path, []])
          expect([path, /yearly inspection|the dog bites/.test(text)]).toEqual([path, false])
        }
      }
    }
  })

  it('who put a system up see it until it is handed over, and nothing of the home after', async () => {
    expect(idsOf(await installer.get(`ess/by-user/${installer.id}?relation=installer`))).toEqual([site.id])
    expect((await installer.get(`ess/${site.id}/last-telemetry`)).status).toBe(200)
    await lifecycle('IN_OPERATION')
    expect(await sitesOf(installer, 'installer')).toEqual([])
    expect((await installer.get(`ess/${site.id}/last-telemetry`)).status).toBe(404)
    expect((await owner.get(`ess/${site.id}/last-telemetry`)).status).toBe(200)
    expect(
      idsOf(await callerWith(server, await server.as('admin')).get(`ess/by-user/${installer.id}?relation=installer`)),
    ).toEqual([site.id])
    await lifecycle('PLANNED')
  })
})
