import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { rentalDefinitions } from '#tests/support/rental-definitions.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

describe.each(engines)('a tree of records on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, rentalDefinitions)
  })
  afterAll(() => server.close())

  /** A chain of yards: each one is part of the one before. */
  async function chain(...names: string[]): Promise<string[]> {
    const ids: string[] = []
    for (const name of names) ids.push(String((await server.made('yard', { name, parentId: ids.at(-1) ?? null })).id))
    return ids
  }
  const put = (id: string | undefined, parentId: string | undefined, version = 1) =>
    server.put(`yard/${id}`, { parentId, version })
  const refused = { status: 400, body: { fields: { parentId: expect.stringContaining('part of itself') } } }

  it('takes no record as its own parent, nor one that is below it', async () => {
    const [a, b, c] = await chain('A', 'B', 'C')
    expect(await put(a, a)).toMatchObject(refused)
    expect(await put(a, b)).toMatchObject(refused)
    expect(await put(a, c)).toMatchObject(refused)
    expect(await server.put(`yard/${a}/move`, { parentId: c })).toMatchObject(refused)
    const [other] = await chain('Other')
    expect(await put(c, other)).toMatchObject({ status: 200, body: { parentId: other } })
  })

  it('stays one when two changes that are sound alone meet', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const [a, b] = await chain('A', 'B')
      const [c, d] = await chain('C', 'D')
      const answers = await Promise.all([put(a, d), put(c, b)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    }
  })

  it('is not made by a reference that may go round', async () => {
    const [a] = await chain('A')
    expect((await server.put(`yard/${a}`, { neighbourId: a, version: 1 })).status).toBe(200)
  })
})
