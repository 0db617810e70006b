import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { rentalDefinitions } from '#tests/support/rental-definitions.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

describe.each(oneEngine(import.meta.filename))('an action on a field that is closed to the caller, on $name', (engine) => {
  let server: ToyServer
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine, {}, rentalDefinitions)
  })
  afterAll(() => server.close())
  const made = () => server.made('rental', { name: `R-${++count}`, fee: 10, office: { room: 'A', pin: '1' } })

  it('does not write it, and says so like an edit', async () => {
    const { id } = await made()
    const refused = { status: 403, body: { code: 'field-forbidden', fields: { fee: expect.any(String) } } }
    expect(await server.put(`rental/${id}`, { fee: 77, version: 1 }, 'moderator')).toMatchObject(refused)
    expect(await server.put(`rental/${id}/prolong`, { endsOn: '2027-01-01', fee: 77 }, 'moderator')).toMatchObject(refused)
    expect((await server.get(`rental/${id}`)).body).toMatchObject({ fee: 10, endsOn: null })
  })

  it('writes what is open to the caller, and everything for a role that may', async () => {
    const { id } = await made()
    const open = await server.put(`rental/${id}/prolong`, { endsOn: '2027-01-01' }, 'moderator')
    expect(open).toMatchObject({ status: 200, body: { endsOn: '2027-01-01', fee: 10 } })
    const whole = await server.put(`rental/${id}/prolong`, { endsOn: '2027-01-02', fee: 12 })
    expect(whole).toMatchObject({ status: 200, body: { fee: 12 } })
  })

  it('writes it where the definition says so', async () => {
    const { id } = await made()
    expect(await server.put(`rental/${id}/waive`, { fee: 0 }, 'moderator')).toMatchObject({ status: 200, body: { fee: 0 } })
  })

  it('does not write it by another name', async () => {
    const { id } = await made()
    expect(await server.put(`rental/${id}/settle`, { amount: 77 }, 'moderator')).toMatchObject({
      status: 403,
      body: { code: 'field-forbidden', fields: { amount: expect.any(String) } },
    })
    expect(await server.put(`rental/${id}/settle`, { amount: 11 })).toMatchObject({ status: 200, body: { fee: 11 } })
    expect(await server.put(`rental/${id}/settle`, {}, 'moderator')).toMatchObject({ status: 200, body: { fee: 11 } })
  })

  it.each(['double', 'copy', 'stamp'])('does not write what the definition gives: %s', async (name) => {
    const { id } = await made()
    expect(await server.put(`rental/${id}/${name}`, {}, 'moderator')).toMatchObject({
      status: 403,
      body: { code: 'field-forbidden', fields: { fee: expect.any(String) } },
    })
    expect((await server.get(`rental/${id}`)).body).toMatchObject({ fee: 10, version: 1 })
    expect((await server.put(`rental/${id}/${name}`, {})).status).toBe(200)
  })

  it('writes what the definition gives where it says so', async () => {
    const { id } = await made()
    expect(await server.put(`rental/${id}/halve`, {}, 'moderator')).toMatchObject({ status: 200, body: { fee: 5 } })
  })

  it('leaves a closed part of a group as it is', async () => {
    const { id } = await made()
    expect((await server.put(`rental/${id}/house`, { office: { room: 'B', pin: '2' } }, 'moderator')).status).toBe(400)
    expect(await server.put(`rental/${id}/house`, { office: { room: 'B' } }, 'moderator')).toMatchObject({
      status: 200,
      body: { office: { room: 'B', pin: '1' } },
    })
  })
})
