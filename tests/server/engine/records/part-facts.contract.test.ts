import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkResources, faultLine } from '#schema/check-resources.ts'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const text = (one: string, two: string) => ({ type: 'text', label: [one, two] }) as const

const asked = { note: text('Note', 'Заметка'), price: text('Price', 'Цена'), cost: text('Cost', 'Расходы') }

const crane = defineResource({
  name: 'crane',
  label: { one: ['Crane', 'Кран'], many: ['Cranes', 'Краны'] },
  title: 'name',
  fields: {
    name: { ...text('Name', 'Название'), required: true },
    motor: {
      type: 'group',
      label: ['Motor', 'Двигатель'],
      fields: {
        note: text('Note', 'Заметка'),
        code: { ...text('Code', 'Код'), fresh: true },
        price: { ...text('Price', 'Цена'), access: { write: ['admin'] } },
        cost: { ...text('Cost', 'Расходы'), access: { read: ['admin'], write: ['admin'] } },
        seal: { ...text('Seal', 'Пломба'), immutable: true },
        hours: { ...text('Hours', 'Часы'), readOnly: true },
        grade: { ...text('Grade', 'Класс'), default: 'A' },
      },
    },
    ropes: {
      type: 'list',
      label: ['Ropes', 'Канаты'],
      fields: {
        note: text('Note', 'Заметка'),
        grade: { ...text('Grade', 'Класс'), default: 'A' },
        end: { type: 'group', label: ['End', 'Конец'], fields: { kind: { ...text('Kind', 'Вид'), default: 'HOOK' } } },
      },
    },
  },
  actions: {
    tune: { label: ['Tune', 'Настроить'], form: { motor: { type: 'group', label: ['Motor', 'Двигатель'], fields: asked } } },
  },
  access: { list: staff, create: staff, edit: staff },
})

describe.each(engines)('a fact of a part on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([crane]))
  }, 60_000)
  afterAll(() => server.close())

  const made = async (body: object) => String((await server.made('crane', { name: 'C', ...body })).id)
  const put = async (id: string, body: object, as = 'admin') => {
    const { version } = (await server.get(`crane/${id}`)).body
    return server.put(`crane/${id}`, { version, ...body }, as)
  }
  const motor = async (id: string) => (await server.get(`crane/${id}`)).body.motor

  it('is no fault of the definition', () => {
    expect(checkResources([crane]).map((fault) => faultLine(fault))).toEqual([])
  })

  it('asks for a confirmation of a group only where it changes', async () => {
    const id = await made({ motor: { note: 'old' } })
    const asked = { status: 403, body: { code: 'confirmation-needed' } }
    expect(await put(id, { motor: { note: 'old', code: 'X' } })).toMatchObject(asked)
    expect(await server.post('crane', { name: 'D', motor: { code: 'X' } })).toMatchObject(asked)
    expect((await put(id, { motor: { note: 'new', code: null } })).status).toBe(200)
    await server.select(`update "crane" set "motor" = "motor" || '{"code": "Y"}'`)
    expect((await put(id, { motor: { note: 'newer', code: 'Y' } })).status).toBe(200)
    expect(await put(id, { motor: null })).toMatchObject(asked)
  })

  it('is kept when the whole group is emptied', async () => {
    const id = await made({ motor: { note: 'old', price: '5', cost: '4', seal: 'S' } })
    expect((await put(id, { motor: { note: null, price: '6' } }, 'moderator')).status).toBe(400)
    expect((await put(id, { motor: null }, 'moderator')).status).toBe(200)
    expect(await motor(id)).toMatchObject({ note: null, grade: null, price: '5', cost: '4', seal: 'S' })
    const other = await made({ motor: { note: 'old' } })
    expect((await put(other, { motor: null }, 'moderator')).status).toBe(200)
    expect(await motor(other)).toBeNull()
  })

  it('is kept when an action empties the group, too', async () => {
    const id = await made({ motor: { note: 'old', price: '5', cost: '4' } })
    expect((await server.put(`crane/${id}/tune`, { motor: { note: 'new', price: '6' } }, 'moderator')).status).toBe(400)
    expect((await server.put(`crane/${id}/tune`, { motor: null }, 'moderator')).status).toBe(200)
    expect(await motor(id)).toMatchObject({ note: null, price: '5', cost: '4' })
    expect((await server.put(`crane/${id}/tune`, { motor: null })).status).toBe(200)
    expect(await motor(id)).toMatchObject({ note: null, price: null, cost: null, grade: 'A' })
    await server.select(`update "crane" set "motor" = "motor" || '{"note": "new", "grade": null}' where "id" = '${id}'`)
    expect((await server.put(`crane/${id}/tune`, { motor: null })).status).toBe(200)
    expect(await motor(id)).toBeNull()
  })

  it('is a default of new rows, and of no row that was there before', async () => {
    const id = await made({ ropes: [{ note: 'a' }, { note: 'b', grade: null, end: { kind: 'EYE' } }, { note: 'c', end: {} }] })
    const ropes = [
      { note: 'a', grade: 'A' },
      { note: 'b', grade: null, end: { kind: 'EYE' } },
      { note: 'c', grade: 'A', end: { kind: 'HOOK' } },
    ]
    expect((await server.get(`crane/${id}`)).body.ropes).toEqual(ropes)
    await server.select(`update "crane" set "ropes" = '[{"note": "old"}]' where "id" = '${id}'`)
    expect((await put(id, { ropes: [{ note: 'old' }, { note: 'new' }] })).body).toMatchObject({
      ropes: [{ note: 'old' }, { note: 'new', grade: 'A' }],
    })
    expect((await server.get(`crane/${id}`)).body.ropes).toEqual([{ note: 'old' }, { note: 'new', grade: 'A' }])
  })
})
