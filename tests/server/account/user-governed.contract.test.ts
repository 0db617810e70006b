import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(oneEngine(import.meta.filename))('whom a person may change on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine)
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  it('is said by each user, and is what the server holds to', async () => {
    const [admin, moderator, other, client] = [
      await maker.person('admin'),
      await maker.person('moderator'),
      await maker.person('moderator'),
      await maker.person('client'),
    ]
    const everybody = [admin, moderator, other, client]
    const told = (by: Person) => Promise.all(everybody.map(async ({ id }) => (await by.get(`user/${id}`)).body.governed))
    const held = (by: Person) =>
      Promise.all(everybody.map(async ({ id }) => (await by.delete(`user/${id}/lock`)).status === 200))
    // Admins and other moderators are outside a moderator's scope.
    expect(await told(moderator)).toEqual([undefined, false, undefined, true])
    expect(await held(moderator)).toEqual([false, false, false, true])
    expect((await moderator.put(`user/${client.id}/unlock`)).status).toBe(200)
    expect(await told(admin)).toEqual([false, true, true, true])
    expect(await held(admin)).toEqual([false, true, true, true])
  })

  it.each(['admin', 'moderator'] as const)('does not keep a %s from his own profile', async (role) => {
    const self = await maker.person(role)
    const profile = { language: 'ru', lastName: 'Lime' }
    const { version } = (await self.get(`user/${self.id}`)).body
    expect(await self.put(`user/${self.id}`, { ...profile, version })).toMatchObject({ status: 200, body: profile })
  })

  it('is nobody’s to know outside the staff, and can be asked for in a list', async () => {
    const [moderator, client] = [await maker.person('moderator'), await maker.person('client')]
    expect((await client.get(`user/${client.id}`)).body).not.toHaveProperty('governed')
    const roles = rowsOf(await moderator.get('user?governed=true&_end=200')).map(({ role }) => role)
    expect(roles.length).toBeGreaterThan(0)
    expect(roles).not.toContain('admin')
    expect(roles).not.toContain('moderator')
  })
})
