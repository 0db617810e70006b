import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { idsOf, Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { refusal } from '#tests/support/refusal.ts'

describe.each(oneEngine(import.meta.filename))('a list with a few fields of a resource on $name', (engine) => {
  let server: FleetServer
  let owner: Person
  let list = ''
  let essId = ''
  let callerId = ''
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    const maker = new Maker(server, await server.as('admin'))
    owner = await maker.person('client')
    const location = { ...Object(maker.essFacts().location), address: 'Linden quay 7, Ulm' }
    essId = (await maker.ess({ serialNumber: 'SN-4711-X', name: 'Lake house', location })).id
    const caller = { role: 'client', email: 'kay@test.example', firstName: 'Kay', lastName: 'Moor', phone: '+49 30 901820' }
    callerId = (await maker.made('user', caller)).id
    await maker.admin.put(`ess/${essId}/owner`, { clientId: owner.id })
    list = `ess/by-user/${owner.id}`
  }, 120_000)
  afterAll(() => server?.close())

  it.each(['', 'export/'])('finds nothing by a field that it does not show: %s', async (way) => {
    const countOf = async (q: string) => {
      const answer = await owner.get(`${way}${list}?q=${q}${way ? '&columns=code' : ''}`)
      expect(answer.status).toBe(200)
      return way ? answer.text.trim().split('\n').length - 1 : idsOf(answer).length
    }
    expect([await countOf('lake'), await countOf('4711'), await countOf('SN-4711-X')]).toEqual([1, 0, 0])
    expect(await (await owner.get(`${list}?serialNumber_like=4711`)).body).toMatchObject({ code: 'invalid' })
  })

  it.each(['attention', 'serialNumber', 'ownerSince'])('is not sorted by %s, which it does not show', async (field) => {
    expect(await owner.get(`${list}?_sort=${field}`)).toMatchObject(refusal(400, 'invalid'))
    expect(await owner.get(`export/${list}?columns=code&_sort=${field}`)).toMatchObject(refusal(400, 'invalid'))
  })

  it.each(['+49 30 901820', '0049 (30) 90-18-20', '030 901820', '901-820', '90182', 'Kay 901820'])(
    'finds who calls by the phone number, however it is written: %s',
    async (q) => {
      const staff = new Maker(server, await server.as('moderator')).admin
      const lists = ['user/client', 'user'].map(async (path) => idsOf(await staff.get(`${path}?q=${encodeURIComponent(q)}`)))
      expect(await Promise.all(lists)).toEqual([[callerId], [callerId]])
      expect(idsOf(await owner.get(`${list}?q=${encodeURIComponent(q)}`))).toEqual([])
    },
  )

  it('finds codes that begin with zeros by their digits', async () => {
    const staff = new Maker(server, await server.as('moderator')).admin
    expect((await staff.get('ess?q=000001')).body).toMatchObject([{ code: 'ESS-000001' }])
  })

  it('finds a system by words of its address, which an owner is shown', async () => {
    const staff = new Maker(server, await server.as('moderator')).admin
    expect(idsOf(await staff.get('ess?q=quay%20lake'))).toEqual([essId])
    expect(idsOf(await owner.get(`${list}?q=quay`))).toEqual([essId])
  })

  it('is whole for the staff, who search and sort by all of it', async () => {
    const maker = new Maker(server, await server.as('admin'))
    expect(idsOf(await maker.admin.get(`${list}?q=4711&_sort=attention`))).toEqual([essId])
  })
})
