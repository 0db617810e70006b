import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const ward = defineResource({
  name: 'ward',
  label: { one: ['Ward', 'Палата'], many: ['Wards', 'Палаты'] },
  title: 'code',
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true, unique: true },
    ownerId: { type: 'text', label: ['Owner', 'Владелец'] },
  },
  access: { list: ['moderator', 'client'], create: ['moderator'] },
  scope: { client: { field: 'ownerId', op: 'eq', value: '$user.id' } },
})

/** Nurses are listed to staff only. */
const nurse = defineResource({
  name: 'nurse',
  label: { one: ['Nurse', 'Медсестра'], many: ['Nurses', 'Медсёстры'] },
  title: 'code',
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true },
    isFree: { type: 'boolean', label: ['Free', 'Свободна'] },
  },
  access: { list: ['moderator'], create: ['moderator'] },
})

const visit = defineResource({
  name: 'visit',
  label: { one: ['Visit', 'Визит'], many: ['Visits', 'Визиты'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    wardId: { type: 'reference', label: ['Ward', 'Палата'], to: 'ward' },
    wardIds: { type: 'references', label: ['Wards', 'Палаты'], to: 'ward' },
    nurseId: { type: 'reference', label: ['Nurse', 'Медсестра'], to: 'nurse', options: 'nurse?isFree=true' },
    place: {
      type: 'group',
      label: ['Place', 'Место'],
      fields: { wardId: { type: 'reference', label: ['Ward', 'Палата'], to: 'ward' } },
    },
  },
  actions: {
    move: {
      label: ['Move', 'Переместить'],
      roles: ['client'],
      form: { wardId: { type: 'reference', label: ['Ward', 'Палата'], to: 'ward' } },
    },
  },
  access: {
    list: ['admin', 'moderator', 'client'],
    create: ['admin', 'moderator', 'client'],
    edit: ['moderator', 'client'],
  },
})

const madeUp = '0199aaaa-0000-7000-8000-000000000000'
const client = 'client:c1'
const unknown = 'There is no such record'

describe.each(engines)('a written reference on $name', (engine) => {
  let server: ToyServer
  let [mine, theirs, free, busy]: Record<string, unknown>[] = []
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([ward, nurse, visit]), [
      fillingPart({ rules: {}, mailOf: mailerOf }),
    ])
    mine = await server.made('ward', { code: 'W-1', ownerId: 'c1' }, 'moderator')
    theirs = await server.made('ward', { code: 'W-2', ownerId: 'c2' }, 'moderator')
    free = await server.made('nurse', { code: 'N-1', isFree: true }, 'moderator')
    busy = await server.made('nurse', { code: 'N-2', isFree: false }, 'moderator')
  })
  afterAll(() => server.close())

  /** The refusals of a call with a foreign and with a made-up id, which must not differ. */
  const refusals = async (call: (id: unknown) => ReturnType<ToyServer['post']>, foreign: unknown) => {
    const [first, second] = [await call(foreign), await call(madeUp)]
    expect(first.status, first.text).toBe(400)
    const bare = ({ body }: typeof first) => ({ ...body, requestId: undefined, instance: undefined })
    expect(bare(first)).toEqual(bare(second))
    return first.body.fields
  }

  it('of a new record lies within what its caller may see, as a made-up one does not', async () => {
    const made = await server.post('visit', { name: 'a', wardId: mine?.id, wardIds: [mine?.id] }, client)
    expect(made.status, made.text).toBe(201)
    const bodies = {
      wardId: (id: unknown) => ({ wardId: id }),
      'wardIds.1': (id: unknown) => ({ wardIds: [mine?.id, id] }),
      'place.wardId': (id: unknown) => ({ place: { wardId: id } }),
    }
    for (const [path, body] of Object.entries(bodies))
      expect(await refusals((id) => server.post('visit', { name: 'a', ...body(id) }, client), theirs?.id)).toEqual({
        [path]: unknown,
      })
    expect((await server.post('visit', { name: 'a', wardId: theirs?.id }, 'moderator')).status).toBe(201)
  })

  it('to a resource that is not listed to the role is refused', async () => {
    expect(await refusals((id) => server.post('visit', { name: 'a', wardId: id }, 'admin'), theirs?.id)).toEqual({
      wardId: unknown,
    })
  })

  it('may be any that the options of its field offer, and tells nothing of the others', async () => {
    expect((await server.post('visit', { name: 'a', nurseId: free?.id }, client)).status).toBe(201)
    expect(await refusals((id) => server.post('visit', { name: 'a', nurseId: id }, client), busy?.id)).toEqual({
      nurseId: unknown,
    })
    const seen = await server.post('visit', { name: 'a', nurseId: busy?.id }, 'moderator')
    expect(seen.body.fields).toEqual({ nurseId: 'This cannot be chosen here' })
  })

  it('stays where it is when a change does not touch it', async () => {
    const values = { name: 'a', wardId: theirs?.id, wardIds: [theirs?.id], place: { wardId: theirs?.id } }
    const { id } = await server.made('visit', values, 'moderator')
    const changed = await server.put(
      `visit/${id}`,
      { ...values, name: 'b', wardIds: [theirs?.id, mine?.id], version: 1 },
      client,
    )
    expect(changed.status, changed.text).toBe(200)
    expect(await refusals((other) => server.put(`visit/${id}`, { nurseId: other, version: 2 }, client), busy?.id)).toEqual({
      nurseId: unknown,
    })
  })

  it('of an action is held to the same', async () => {
    const { id } = await server.made('visit', { name: 'a', wardId: mine?.id }, client)
    expect(await refusals((wardId) => server.put(`visit/${id}/move`, { wardId, version: 1 }, client), theirs?.id)).toEqual({
      wardId: unknown,
    })
    expect((await server.put(`visit/${id}/move`, { wardId: mine?.id, version: 1 }, client)).status).toBe(200)
  })

  it('of an imported row is held to the same', async () => {
    const reportOf = (cell: unknown) =>
      server.call('POST', 'import/visit?dryRun=true', {
        headers: { 'content-type': 'text/csv' },
        body: `name,wardId\nx,${cell}\n`,
      })
    const words = async (cell: unknown) => JSON.stringify((await reportOf(cell)).body.faults).replaceAll(String(cell), '')
    expect(await words(theirs?.id)).toContain(unknown)
    expect(await words(theirs?.id)).toBe(await words(madeUp))
    expect(await words('W-2')).toBe(await words('W-9'))
  })
})
