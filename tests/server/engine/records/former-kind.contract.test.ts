import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { engines } from '#tests/support/databases.ts'
import { people } from '#tests/support/toy-resource.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const label = ['Name', 'Название'] as const
const trip = defineResource({
  name: 'trip',
  was: ['visit', 'journey'],
  label: { one: ['Trip', 'Поездка'], many: ['Trips', 'Поездки'] },
  fields: {
    name: { type: 'text', label, required: true },
    fee: { type: 'integer', label: ['Secret fee', 'Тайный сбор'], access: { read: ['admin'], write: ['admin'] } },
  },
  access: { list: ['admin', 'moderator'], create: ['admin'] },
})
const log = resources.find(({ journal }) => journal) ?? expect.fail()

describe.each(engines)('a renamed resource on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([log, trip, people]))
    for (const [id, kind] of Object.entries({ a: 'trip', b: 'visit', c: 'journey', d: 'other' }))
      await server.select(`insert into "auditLog" ("id", "role", "action", "entityType", "entityId")
        values ('${id}', 'admin', 'update', '${kind}', 't1')`)
  })
  afterAll(() => server.close())
  const idsOf = async (query: string) =>
    (await server.get(`audit-log?${query}&entityId=t1&_sort=id&_order=asc`)).rows.map(({ id }) => id)

  it('goes on in its history with the entries of its former names', async () => {
    expect(await idsOf('entityType=trip')).toEqual(['a', 'b', 'c'])
    expect(await idsOf('entityType_ne=trip')).toEqual(['d'])
    expect(await idsOf('entityType=visit')).toEqual(['b'])
  })

  it('does not tell by a refused filter what a closed field is called', async () => {
    const { status, body } = await server.get('trip?fee_gte=1', 'moderator')
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('Secret')
    expect(JSON.stringify(body)).toContain('fee')
  })
})
