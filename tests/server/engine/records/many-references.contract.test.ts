import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { rentalDefinitions } from '#tests/support/rental-definitions.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(engines)('a reference to many records on $name', (engine) => {
  let server: ToyServer
  let [north, south]: Json[] = []
  beforeAll(async () => {
    server = await openToyServer(engine, {}, rentalDefinitions)
    north = await server.made('yard', { name: 'North' })
    south = await server.made('yard', { name: 'South' })
    await server.made('rental', { name: 'Both', yardIds: [north.id, south.id] })
    await server.made('rental', { name: 'South', yardIds: [south.id] })
    await server.made('rental', { name: 'None' })
  })
  afterAll(() => server.close())
  const namesOf = (answer: { rows: Json[] }) => answer.rows.map(({ name }) => name).toSorted()

  it('keeps each of them from being deleted', async () => {
    expect(await server.delete(`yard/${north?.id}`)).toMatchObject({ status: 409, body: { code: 'in-use' } })
    const free = await server.made('yard', { name: 'Free' })
    expect((await server.delete(`yard/${free.id}`)).status).toBe(204)
  })

  it('is named with its records where it keeps one from being deleted', async () => {
    const yard = await server.made('yard', { name: 'Busy' })
    const crane = await server.made('crane', { code: 'C-1', yardId: yard.id })
    const part = await server.made('yard', { name: 'Corner', parentId: yard.id, neighbourId: yard.id })
    const rentals: Json[] = []
    for (const name of ['1', '2', '3', '4', '5', '6']) rentals.push(await server.made('rental', { name, yardIds: [yard.id] }))
    const { status, body } = await server.delete(`yard/${yard.id}`)
    expect([status, body.code]).toEqual([409, 'in-use'])
    const uses = Object(body).uses as { resource: string; count: number; records: Json[] }[]
    expect(uses.toSorted((a, b) => a.resource.localeCompare(b.resource))).toEqual([
      { resource: 'crane', count: 1, records: [{ id: crane.id, title: 'C-1' }] },
      { resource: 'rental', count: 6, records: rentals.slice(0, 5).map(({ id, name }) => ({ id, title: name })) },
      { resource: 'yard', count: 1, records: [{ id: part.id, title: 'Corner' }] },
    ])
  })

  it('is a filter of its list', async () => {
    expect(namesOf(await server.get(`rental?yardIds=${north?.id}`))).toEqual(['Both'])
    expect(namesOf(await server.get(`rental?yardIds=${north?.id}&yardIds=${south?.id}`))).toEqual(['Both', 'South'])
    expect((await server.get('rental?_sort=yardIds')).status).toBe(400)
  })

  it('is a tab of each of them', async () => {
    const tab = await server.get(`yard/${south?.id}/rental`)
    expect([tab.total, namesOf(tab)]).toEqual([2, ['Both', 'South']])
  })
})
