import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roleTable } from '#tests/fixtures/role-table.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { EventReader } from '#tests/support/event-reader.ts'
import { type Caller, callerWith, idsOf, Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

/** Paths of an ESS that owners, guests and installers read. */
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
  'location.lat',
  'location.lon',
  'location.region',
  'location.address',
  'location.timezone',
  'connection',
  'health',
  'maintenance.until',
]

/** Paths of all values: `location.city`. */
const pathsIn = (value: object, before = ''): string[] =>
  Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    const isParent = typeof one === 'object' && one !== null && !Array.isArray(one)
    return isParent ? pathsIn(one, `${before}${key}.`) : [`${before}${key}`]
  })

describe.each(oneEngine(import.meta.filename))('people outside the staff on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let owner: Person
  let installer: Person
  let guest: Person
  let engineer: Person
  let moderator: Person
  let site: { id: string }
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: '0' })
    maker = new Maker(server, await server.as('admin'))
    owner = await maker.person('client')
    installer = await maker.person('installer')
    guest = await maker.person('client')
    engineer = await maker.person('service_engineer')
    moderator = await maker.person('moderator')
    site = await maker.ess({ installerId: installer.id, notes: 'the dog bites' })
    await maker.admin.put(`ess/${site.id}/owner`, { clientId: owner.id })
    await maker.assign(site.id, engineer)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await engineer.put(`ess/${site.id}/maintenance`, { until, reason: 'yearly inspection' })).status).toBe(200)
    expect((await maker.admin.post(`ess/${site.id}/invite-guest`, { userId: guest.id })).status).toBe(201)
    const token = await server.linkTo(guest.email, '/invitation/complete')
    expect((await server.call('PUT', 'user/invitation/complete', { body: { token } })).status).toBe(200)
    await server.rows(`update "user" set "firstName" = 'First' || "id", "lastName" = 'Last' || "id"`)
    for (const who of [owner, installer, guest]) await edit(moderator, who)
    await server.app.listen({ host: '127.0.0.1', port: 0 })
  }, 120_000)
  afterAll(() => server?.close())

  /** A change by another person: the record then says by whom it was changed last. */
  const edit = async (by: Caller, who: Person) => {
    const { version } = (await by.get(`user/${who.id}`)).body
    expect((await by.put(`user/${who.id}`, { phone: `+49${Date.now()}`, version })).status).toBe(200)
  }
  type Somebody = { id: string; email: string; firstName: string; lastName: string }
  const everybody = () => server.rows<Somebody>(`select "id", "email", "firstName", "lastName" from "user"`)
  /** Others whose id, address or name a text holds. */
  const othersIn = (text: string, who: Person, all: readonly Somebody[]) =>
    all.filter(({ id, ...told }) => id !== who.id && [id, ...Object.values(told)].some((word) => word && text.includes(word)))

  const lifecycle = (state: string) => server.rows(`update "ess" set "lifecycle" = '${state}' where "id" = '${site.id}'`)
  const sitesOf = async (who: Person, relation: string) => rowsOf(await who.get(`ess/by-user/${who.id}?relation=${relation}`))

  it('read of a system what the list of allowed keys says, and of its maintenance only until when', async () => {
    for (const [who, relation] of [
      [owner, 'owner'],
      [guest, 'guest'],
      [installer, 'installer'],
    ] as const) {
      const [shown] = await sitesOf(who, relation)
      expect(shown?.id).toBe(site.id)
      expect(pathsIn(shown ?? {}).filter((path) => !keysOfEss.includes(path))).toEqual([])
      expect(shown?.maintenance).toEqual({ until: expect.any(String) })
      expect((await who.get(`ess/by-user/${who.id}?relation=${relation}&maintenance.reason_like=year`)).status).toBe(400)
    }
  })

  it('are told no address, name or id of anybody else by any call that is open to them', async () => {
    const others = await everybody()
    const paths = Object.entries(roleTable).flatMap(([route, allowed]) =>
      route.startsWith('GET /api/') && /[*IC]/.test(allowed) && !route.includes('/events')
        ? [route.slice('GET /api/'.length)]
        : [],
    )
    expect(paths.length).toBeGreaterThan(8)
    for (const who of [owner, installer, guest]) {
      for (const path of paths) {
        for (const id of [who.id, site.id]) {
          const { text } = await who.get(path.replace(/:\w+/g, id))
          expect([path, othersIn(text, who, others)]).toEqual([path, []])
          expect([path, /yearly inspection|the dog bites/.test(text)]).toEqual([path, false])
        }
      }
    }
  })

  it('are told no more by the changes of their own record, and still who they are themselves', async () => {
    const own = (await owner.get(`user/${owner.id}`)).body
    expect([own.updatedBy, own.updatedByRef]).toEqual([null, null])
    const changed = await owner.put(`user/${owner.id}`, { phone: '+4912345678', version: own.version })
    expect([changed.status, changed.body.updatedBy]).toEqual([200, owner.id])
    await edit(moderator, owner)
    expect((await moderator.get(`user/${owner.id}`)).body.updatedBy).toBe(moderator.id)
  })

  it('hear nothing of other people in the stream of changes', async () => {
    const all = await everybody()
    const people = [owner, guest, installer]
    const streams = await Promise.all(
      people.map(async ({ email }) => {
        const authorization = `Bearer ${await server.tokenOf(email)}`
        return (await EventReader.open(`${server.app.listeningOrigin}/api/events`, { authorization })).ready()
      }),
    )
    for (const one of people) await edit(moderator, one)
    const { version } = (await maker.admin.get(`ess/${site.id}`)).body
    expect((await maker.admin.put(`ess/${site.id}`, { name: 'Another house', version })).status).toBe(200)
    const [owned, shared] = streams
    // Streams are told in order and together: the installer's has then been passed over.
    for (const stream of [owned, shared]) await stream?.until(({ told }) => told.some(({ id }) => id === site.id))
    for (const [index, who] of people.entries())
      expect([who.email, othersIn(JSON.stringify(streams[index]?.events), who, all)]).toEqual([who.email, []])
    for (const stream of streams) stream.close()
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
