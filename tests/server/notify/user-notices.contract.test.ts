import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { noticeChoices } from '#server/notify/notice-choices.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

type Someone = { id: string; token: string }

describe.each(oneEngine(import.meta.filename))('the notifications of people on $name', (engine) => {
  let server: PeopleServer
  let admin: Someone
  let count = 0
  const someone = (role: Role): Promise<Someone> => server.signedIn({ email: `${role}-${++count}@example.com`, role })
  beforeAll(async () => {
    server = await openPeopleServer(engine)
    admin = await someone('admin')
  })
  afterAll(() => server.close())
  const as = ({ token }: Someone) => ({
    get: (path: string) => server.call('GET', path, { token }),
    put: (path: string, body: object) => server.call('PUT', path, { token, body }),
    post: (path: string, body: object) => server.call('POST', path, { token, body }),
  })
  const newUser = (role: Role) => ({ email: `new-${++count}@example.com`, role, firstName: 'Ivan', lastName: 'Orlov' })

  const chosen = { push: 'CRITICAL', email: 'OFF', delayMin: 0 }
  it.each([
    ['admin', 'ALL'],
    ['moderator', 'ALL'],
    ['service_engineer', 'RELATED'],
    ['client', 'RELATED'],
  ] as const)('of a new %s are critical ones in the browser, of %s sites', async (role, sites) => {
    const { body } = await as(admin).post('user', newUser(role))
    expect(body.notificationPrefs).toEqual({ ...chosen, sites })
  })

  it('are none of an installer, who cannot choose them either', async () => {
    const { body } = await as(admin).post('user', newUser('installer'))
    expect(body.notificationPrefs).toBeNull()
    const self = await someone('installer')
    const written = await as(self).put(`user/${self.id}`, { notificationPrefs: { push: 'INFO' }, version: 1 })
    expect([written.status, Object.keys(Object(written.body.fields))]).toEqual([400, ['notificationPrefs']])
  })

  it('are chosen by everybody else for himself, the delay among four', async () => {
    const self = await someone('service_engineer')
    const own = { push: 'OFF', email: 'WARNING', delayMin: 15, sites: 'RELATED' }
    const written = await as(self).put(`user/${self.id}`, { notificationPrefs: own, version: 1 })
    expect(written.status).toBe(200)
    expect((await as(self).get(`user/${self.id}`)).body.notificationPrefs).toEqual(own)
    for (const delayMin of [30, '15', 1.5, -1]) {
      const refused = await as(self).put(`user/${self.id}`, { notificationPrefs: { ...own, delayMin }, version: 2 })
      expect(refused.status).toBe(400)
      expect(refused.body.fields).toHaveProperty(['notificationPrefs.delayMin'])
    }
    const other = await someone('service_engineer')
    expect((await as(self).put(`user/${other.id}`, { notificationPrefs: own, version: 1 })).status).toBe(404)
  })

  it('that were stored by older rules become what may be chosen now, never later than asked for', async () => {
    const old = { push: 'CRITICAL', email: 'OFF', delayMin: 0, sites: 'ALL' }
    const stored = async (role: 'admin' | 'service_engineer' | 'client', prefs: object | null) => {
      const { id } = await someone(role)
      await server.rows(
        `update "user" set "notificationPrefs" = ${prefs ? `'${JSON.stringify(prefs)}'` : 'null'} where "id" = '${id}'`,
      )
      return id
    }
    const cases = [
      [await stored('service_engineer', { ...old, delayMin: 1439, sites: 'RELATED' }), { delayMin: 60 }],
      [await stored('client', { ...old, delayMin: 59.5, sites: 'RELATED' }), { delayMin: 15 }],
      [await stored('admin', { ...old, delayMin: 7 }), { delayMin: 0, sites: 'ALL' }],
      [await stored('admin', { ...old, delayMin: 1440 }), { delayMin: 1440 }],
      [await stored('admin', old), { sites: 'ALL' }],
      [await stored('service_engineer', old), { sites: 'RELATED' }],
      [await stored('service_engineer', { ...old, email: 'INFO' }), { sites: 'ALL' }],
    ] as const
    const untouched = await stored('client', null)
    await server.database.pool.query(noticeChoices)
    for (const [id, prefs] of cases) expect((await as(admin).get(`user/${id}`)).body.notificationPrefs).toMatchObject(prefs)
    expect((await as(admin).get(`user/${untouched}`)).body.notificationPrefs).toBeNull()
  })
})
