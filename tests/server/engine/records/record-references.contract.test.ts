import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

describe.each(engines)('references of a record on $name', (engine) => {
  let server: ToyServer

  beforeAll(async () => {
    server = await openToyServer(engine)
  })
  afterAll(() => server.close())

  it('names each of several records that a field points to', async () => {
    const owner = await server.made('person', { name: 'Ann', email: 'ann@b.example', kind: 'ADULT' })
    const friend = await server.made('person', { name: 'Fay', email: 'friend@b.example', kind: 'ADULT' })
    const { id } = await server.made('toy', { code: 'T-8', name: 'Friendly', friendIds: [owner.id, friend.id] })
    const [listed] = (await server.get('toy?code=T-8')).rows
    expect(listed?.friendIdsRef).toEqual(
      expect.arrayContaining([
        { id: owner.id, email: 'ann@b.example' },
        { id: friend.id, email: 'friend@b.example' },
      ]),
    )
    const lonely = await server.made('toy', { code: 'T-9', name: 'Lonely' })
    expect(lonely).toMatchObject({ friendIds: null, friendIdsRef: [] })
    expect((await server.get(`toy/${id}`)).body).toMatchObject({ friendIdsRef: [{}, {}] })
  })

  it('names them in the order of the field, so that an exported list is the one that is stored', async () => {
    const ids: string[] = []
    for (const name of ['Bo', 'Cy', 'Di'])
      ids.push(String((await server.made('person', { name, email: `${name}@b.example`, kind: 'ADULT' })).id))
    const friendIds = [ids[2], ids[0], ids[1]]
    const { id } = await server.made('toy', { code: 'T-10', name: 'Orderly', friendIds })
    const { friendIdsRef } = (await server.get(`toy/${id}`)).body
    expect(Array.isArray(friendIdsRef) && friendIdsRef.map((friend) => friend.id)).toEqual(friendIds)
  })
})
