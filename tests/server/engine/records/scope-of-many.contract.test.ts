import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { createReaders } from '#server/account/live/live-readers.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { boothResources } from '#tests/support/booth-definitions.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const everybody = [...staff, 'service_engineer'] as const
const user = defineResource({ ...boothResources[0], access: { list: everybody, create: staff } })
const named = { text: { type: 'text', label: ['Name', 'Название'], required: true, search: true } } as const

const site = defineResource({
  name: 'site',
  label: { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] },
  fields: {
    name: named.text,
    contracts: { type: 'count', label: ['Contracts', 'Договоры'], of: 'contract', by: 'siteIds' },
    mine: {
      type: 'count',
      label: ['Urgent', 'Срочные'],
      of: 'contract',
      by: 'siteIds',
      where: { field: 'marks', op: 'eq', value: 'URGENT' },
    },
  },
  access: { list: everybody, create: staff },
})

const contract = defineResource({
  name: 'contract',
  label: { one: ['Contract', 'Договор'], many: ['Contracts', 'Договоры'] },
  fields: {
    name: named.text,
    engineerIds: { type: 'references', label: ['Engineers', 'Инженеры'], to: 'user' },
    siteIds: { type: 'references', label: ['Sites', 'Объекты'], to: 'site' },
    marks: { type: 'tags', label: ['Marks', 'Метки'] },
  },
  access: { list: everybody, create: everybody, edit: everybody },
  scope: { service_engineer: { field: 'engineerIds', op: 'eq', value: '$user.id' } },
})

const visit = defineResource({
  name: 'visit',
  label: { one: ['Visit', 'Визит'], many: ['Visits', 'Визиты'] },
  fields: { name: named.text, contractId: { type: 'reference', label: ['Contract', 'Договор'], to: 'contract' } },
  access: { list: everybody, create: everybody },
})

const definitions = definitionsOf([user, site, contract, visit])

describe.each(engines)('a scope by a reference to many records on $name', (engine) => {
  let server: ToyServer
  let [ann, bob] = ['', '']
  const ids: Record<string, string> = {}
  const as = () => `service_engineer:${ann}`
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitions, [exportPart({})])
    ann = String((await server.made('user', { email: 'ann@example.com' })).id)
    bob = String((await server.made('user', { email: 'bob@example.com' })).id)
    ids.site = String((await server.made('site', { name: 'North' })).id)
    const siteIds = [ids.site]
    for (const [name, engineerIds, marks] of [
      ['Hers', [ann], ['URGENT']],
      ['Both', [bob, ann], []],
      ['His', [bob], ['URGENT']],
      ['None', null, null],
    ] as const)
      ids[name] = String((await server.made('contract', { name, engineerIds, siteIds, marks })).id)
  })
  afterAll(() => server.close())

  it('shows the records that name the caller, in the list, its number, its export and alone', async () => {
    const list = await server.get('contract?_sort=name', as())
    expect([list.total, list.rows.map(({ name }) => name)]).toEqual([2, ['Both', 'Hers']])
    const { text } = await server.get('export/contract', as())
    expect(['Both', 'Hers', 'His', 'None'].filter((name) => text.includes(name))).toEqual(['Both', 'Hers'])
    const seen = (name: string) => server.get(`contract/${ids[name]}`, as())
    expect([(await seen('Both')).status, (await seen('His')).status, (await seen('None')).status]).toEqual([200, 404, 404])
    expect((await server.get('contract')).total).toBe(4)
  })

  it('counts no other ones', async () => {
    const counts = { contracts: 4, mine: 2 }
    expect((await server.get(`site/${ids.site}`)).body).toMatchObject(counts)
    expect((await server.get(`site/${ids.site}`, as())).body).toMatchObject({ contracts: 2, mine: 1 })
    expect((await server.get('site?contracts_gte=3', as())).total).toBe(0)
  })

  it('limits what a form picks from, and what it shows of others', async () => {
    const pick = (name: string) => server.post('visit', { name, contractId: ids[name] }, as())
    expect((await pick('Both')).status).toBe(201)
    expect((await pick('His')).status).toBe(400)
    await server.made('visit', { name: 'His', contractId: ids.His })
    const [row] = (await server.get('visit?name=His', as())).rows
    expect(row).toMatchObject({ contractId: ids.His, contract: null })
  })

  it('lets nobody write a record that is outside of it', async () => {
    const made = (engineerIds: unknown) => server.post('contract', { name: 'New', engineerIds }, as())
    expect((await made([bob])).status).toBe(403)
    expect((await made([bob, ann])).status).toBe(201)
    expect((await server.put(`contract/${ids.His}`, { name: 'Taken', version: 1 }, as())).status).toBe(404)
  })

  it('decides on live events', async () => {
    const readers = createReaders({ definitions, rules: {}, clock: () => new Date() })
    const told = Object.values(ids)
      .slice(1)
      .map((id, index) => ({
        position: { xid: 1n, id: BigInt(index) },
        atMs: 0,
        event: { resource: 'contract', id, version: 1, type: 'updated' as const, at: '2026-03-02T08:00:00.000Z' },
        userId: null,
        note: null,
      }))
    const ready = await readers.prepare(server.database.kysely, told, new Set(['service_engineer']))
    const caller = { userId: ann, role: 'service_engineer' as const }
    const heard = ready.filter((event) => readers.mayRead(event, caller as never, new Date()))
    expect(heard.map(({ event }) => event.id)).toEqual([ids.Hers, ids.Both])
  })
})
