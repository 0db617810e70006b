import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { rentalDefinitions } from '#tests/support/rental-definitions.ts'
import { openToyServer, type ToyAnswer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('what a record may point to, on $name', (engine) => {
  let server: ToyServer
  let [north, south, northCrane, southCrane, adult, child]: Json[] = []
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine, {}, rentalDefinitions)
    north = await server.made('yard', { name: 'North' })
    south = await server.made('yard', { name: 'South' })
    northCrane = await server.made('crane', { code: 'N-1', yardId: north.id })
    southCrane = await server.made('crane', { code: 'S-1', yardId: south.id })
    adult = await server.made('person', { email: 'adult@b.example', name: 'Ann', kind: 'ADULT' })
    child = await server.made('person', { email: 'child@b.example', name: 'Bob', kind: 'CHILD' })
  })
  afterAll(() => server.close())

  const name = () => `R-${++count}`
  const made = (more: Json = {}) => server.made('rental', { name: name(), ...more })
  const faultAt = (answer: ToyAnswer) => ({ status: answer.status, fields: answer.body.fields })
  const refusedAt = (field: string, text: string) => ({ status: 400, fields: { [field]: expect.stringContaining(text) } })

  it('is what its options list, for a new record and for a stored one', async () => {
    expect(faultAt(await server.post('rental', { name: name(), managerId: child?.id }))).toEqual(
      refusedAt('managerId', 'cannot be chosen'),
    )
    const { id } = await made({ managerId: adult?.id })
    expect(faultAt(await server.put(`rental/${id}`, { managerId: child?.id, version: 1 }))).toEqual(
      refusedAt('managerId', 'cannot be chosen'),
    )
  })

  it('follows the value that its options depend on', async () => {
    expect(faultAt(await server.post('rental', { name: name(), craneId: northCrane?.id }))).toEqual(
      refusedAt('craneId', 'First choose: Yard'),
    )
    const other = { name: name(), yardId: north?.id, craneId: southCrane?.id }
    expect(faultAt(await server.post('rental', other))).toEqual(refusedAt('craneId', 'cannot be chosen'))
    const { id } = await made({ yardId: north?.id, craneId: northCrane?.id })
    expect(faultAt(await server.put(`rental/${id}`, { yardId: south?.id, version: 1 }))).toEqual(
      refusedAt('craneId', 'cannot be chosen'),
    )
    const moved = await server.put(`rental/${id}`, { yardId: south?.id, craneId: southCrane?.id, version: 1 })
    expect(moved).toMatchObject({ status: 200, body: { craneId: southCrane?.id } })
  })

  it('is not asked again while nothing of it changes', async () => {
    const { id } = await made({ managerId: adult?.id })
    await server.put(`person/${adult?.id}`, { kind: 'CHILD', version: 1 })
    const answer = await server.put(`rental/${id}`, { name: 'Renamed', managerId: adult?.id, version: 1 })
    expect(answer).toMatchObject({ status: 200, body: { name: 'Renamed' } })
    await server.put(`person/${adult?.id}`, { kind: 'ADULT', version: 2 })
  })

  it('is the same in an action, over the record that it is about', async () => {
    const { id } = await made({ yardId: north?.id })
    expect(faultAt(await server.put(`rental/${id}/assign`, { craneId: southCrane?.id, managerId: child?.id }))).toEqual({
      status: 400,
      fields: { craneId: expect.any(String), managerId: expect.any(String) },
    })
    const assigned = await server.put(`rental/${id}/assign`, { craneId: northCrane?.id, managerId: adult?.id })
    expect(assigned).toMatchObject({ status: 200, body: { craneId: northCrane?.id, managerId: adult?.id } })
  })
})
