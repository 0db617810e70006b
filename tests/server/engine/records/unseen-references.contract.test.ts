import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const everybody = ['admin', 'moderator', 'service_engineer', 'client'] as const
const own = { client: { field: 'ownerId', op: 'eq', value: '$user.id' } } as const

const user = defineResource({
  name: 'user',
  label: { one: ['User', 'Пользователь'], many: ['Users', 'Пользователи'] },
  title: 'email',
  summary: ['name', 'email'],
  unseen: { service_engineer: ['name'], client: [] },
  fields: {
    email: { type: 'email', label: ['E-mail', 'Почта'], required: true },
    name: { type: 'text', label: ['Name', 'Имя'], required: true },
  },
  access: { list: ['admin', 'moderator'], create: ['admin'] },
})

const ward = defineResource({
  name: 'ward',
  label: { one: ['Ward', 'Палата'], many: ['Wards', 'Палаты'] },
  title: 'code',
  summary: ['code', 'state', 'rent'],
  fields: {
    code: { type: 'text', label: ['Code', 'Код'], required: true, search: true },
    state: { type: 'text', label: ['State', 'Состояние'] },
    rent: { type: 'integer', label: ['Rent', 'Плата'], access: { read: ['admin'] } },
    ownerId: { type: 'text', label: ['Owner', 'Владелец'] },
    visits: { type: 'count', label: ['Visits', 'Визиты'], of: 'visit', by: 'wardId' },
    notes: { type: 'count', label: ['Notes', 'Заметки'], of: 'note', by: 'wardId' },
  },
  list: { sort: { field: 'code', order: 'asc' } },
  access: { list: everybody, create: ['admin'], edit: ['admin'] },
  scope: own,
})

const visit = defineResource({
  name: 'visit',
  label: { one: ['Visit', 'Визит'], many: ['Visits', 'Визиты'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    ownerId: { type: 'text', label: ['Owner', 'Владелец'] },
    wardId: { type: 'reference', label: ['Ward', 'Палата'], to: 'ward' },
    wardIds: { type: 'references', label: ['Wards', 'Палаты'], to: 'ward' },
    place: {
      type: 'group',
      label: ['Place', 'Место'],
      fields: { wardId: { type: 'reference', label: ['Ward', 'Палата'], to: 'ward' } },
    },
  },
  list: { columns: ['name', 'wardId'], search: ['name', 'wardId'], sort: { field: 'name', order: 'asc' } },
  access: { list: everybody, create: ['admin'], edit: everybody },
  scope: own,
})

const note = defineResource({
  name: 'note',
  label: { one: ['Note', 'Заметка'], many: ['Notes', 'Заметки'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    wardId: { type: 'reference', label: ['Ward', 'Палата'], to: 'ward' },
  },
  access: { list: ['admin'], create: ['admin'] },
})

const patient = defineResource({
  name: 'patient',
  label: { one: ['Patient', 'Пациент'], many: ['Patients', 'Пациенты'] },
  title: 'name',
  summary: ['name', 'email'],
  subset: { of: 'user', where: { name: 'Patient' } },
  fields: { name: user.fields.name, email: user.fields.email },
  access: { list: ['admin'] },
})

const bed = defineResource({
  name: 'bed',
  label: { one: ['Bed', 'Койка'], many: ['Beds', 'Койки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    patientId: { type: 'reference', label: ['Patient', 'Пациент'], to: 'patient' },
    patientIds: { type: 'references', label: ['Patients', 'Пациенты'], to: 'patient' },
  },
  list: { sort: { field: 'name', order: 'asc' } },
  access: { list: everybody, create: ['admin'] },
})

const definitions = definitionsOf([user, ward, visit, note, patient, bed])

describe.each(engines)('references to records that the caller may not see on $name', (engine) => {
  let server: ToyServer
  let maker: { id?: unknown }
  let [mine, theirs, visited]: Record<string, unknown>[] = []
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitions, [exportPart({})])
    maker = await server.made('user', { email: 'maker@b.example', name: 'Maker' })
    const make = (path: string, body: object) => server.made(path, body, `admin:${maker.id}`)
    mine = await make('ward', { code: 'W-MINE', state: 'calm', rent: 5, ownerId: 'c1' })
    theirs = await make('ward', { code: 'W-ALIEN', state: 'burning', rent: 7, ownerId: 'c2' })
    const both = { ownerId: 'c1', wardIds: [mine.id, theirs.id] }
    await make('visit', { name: 'a', wardId: mine.id, place: { wardId: mine.id }, ...both })
    visited = await make('visit', { name: 'b', wardId: theirs.id, place: { wardId: theirs.id }, ...both })
    await make('visit', { name: 'c', ownerId: 'c2', wardId: mine.id })
    await make('note', { name: 'n', wardId: mine.id })
  })
  afterAll(() => server.close())

  const names = async (query: string, as: string) => {
    const answer = await server.get(`visit?${query}`, as)
    expect(answer.status, answer.text).toBe(200)
    return answer.rows.map(({ name }) => name).join('')
  }
  const summary = (id: unknown, code: string, state: string, rent: number | null) => ({ id, code, state, rent })

  it('tell the id alone, in lists and records, in groups and among several', async () => {
    const [first, second] = (await server.get('visit', 'client:c1')).rows
    const seen = summary(mine?.id, 'W-MINE', 'calm', null)
    expect(first).toMatchObject({ wardId: mine?.id, ward: seen, place: { ward: seen }, wardIdsRef: [seen] })
    const hidden = { wardId: theirs?.id, ward: null, place: { wardId: theirs?.id, ward: null }, wardIdsRef: [seen] }
    expect(second).toMatchObject(hidden)
    expect((await server.get(`visit/${visited?.id}`, 'client:c1')).body).toMatchObject(hidden)
    const changed = await server.put(`visit/${visited?.id}`, { version: 1, place: { wardId: mine?.id } }, 'client:c1')
    expect(changed.body).toMatchObject({ ward: null, place: { ward: seen } })
    const exported = await server.get('export/visit', 'client:c1')
    expect(exported.text).toContain('W-MINE')
    expect(exported.text).not.toContain('W-ALIEN')
    expect(JSON.stringify([first, second, changed])).not.toMatch(/ALIEN|burning/)
  })

  it('tell everything to anyone who may see them, but no field that is closed to the role', async () => {
    const [, asAdmin] = (await server.get('visit')).rows
    expect(asAdmin).toMatchObject({ ward: summary(theirs?.id, 'W-ALIEN', 'burning', 7) })
    const [, asModerator] = (await server.get('visit', 'moderator')).rows
    expect(asModerator).toMatchObject({ ward: summary(theirs?.id, 'W-ALIEN', 'burning', null) })
  })

  it('tell of who made a record what the definition leaves open to a role that sees no such record', async () => {
    const makerFor = async (as: string) => (await server.get(`visit/${visited?.id}`, as)).body.createdByRef
    expect(await makerFor('moderator')).toEqual({ id: maker.id, name: 'Maker', email: 'maker@b.example' })
    expect(await makerFor('service_engineer')).toEqual({ id: maker.id, name: 'Maker', email: null })
    expect(await makerFor('client:c1')).toBeNull()
    expect((await server.get('visit', 'client:c1')).text).not.toContain('maker@b.example')
    for (const path of ['visit', `visit/${visited?.id}`]) {
      expect((await server.get(path, 'client:c1')).text).not.toContain(String(maker.id))
      expect((await server.get(path, 'service_engineer')).text).toContain(String(maker.id))
    }
  })

  it('are neither found nor sorted by what they do not tell', async () => {
    expect(await names('q=ALIEN', 'admin')).toBe('b')
    expect(await names('q=ALIEN', 'client:c1')).toBe('')
    expect(await names('q=MINE', 'client:c1')).toBe('a')
    expect(await names('_sort=wardId', 'admin')).toBe('bac')
    expect(await names('_sort=wardId', 'client:c1')).toBe('ab')
  })

  it('tell nothing of a record in the same table that is no record of what they point to', async () => {
    const ill = await server.made('user', { email: 'z@b.example', name: 'Patient' })
    for (const [name, patientId] of [
      ['x', ill.id],
      ['y', ill.id],
    ])
      await server.made('bed', { name, patientId, patientIds: [ill.id] })
    const { pool } = server.database
    const both = JSON.stringify([maker.id, ill.id])
    await pool.query(`update "bed" set "patientId" = $1, "patientIds" = $2 where "name" = 'x'`, [maker.id, both])
    for (const as of ['admin', 'moderator']) {
      const { rows } = await server.get('bed', as)
      expect(rows).toMatchObject([
        { name: 'x', patientId: maker.id, patient: null, patientIdsRef: [{ id: ill.id }] },
        { name: 'y', patient: { id: ill.id, name: 'Patient', email: 'z@b.example' } },
      ])
      expect(JSON.stringify(rows.map(({ createdByRef: _, ...row }) => row))).not.toContain('maker@b.example')
    }
    expect((await server.get('bed?_sort=patientId')).rows.map(({ name }) => name)).toEqual(['y', 'x'])
  })

  it('are counted as far as the caller may see them', async () => {
    const counted = async (as: string) => {
      const [row] = (await server.get('ward?code=W-MINE', as)).rows
      const { body } = await server.get(`ward/${mine?.id}`, as)
      expect([body.visits, body.notes]).toEqual([row?.visits, row?.notes])
      return [row?.visits, row?.notes]
    }
    expect(await counted('admin')).toEqual([2, 1])
    expect(await counted('client:c1')).toEqual([1, null])
    expect((await server.get('ward?visits_gte=2', 'client:c1')).rows).toEqual([])
    expect((await server.get('ward?visits_gte=2')).rows).toHaveLength(1)
  })
})
