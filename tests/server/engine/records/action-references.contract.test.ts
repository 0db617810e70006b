import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

const staff = ['admin', 'moderator'] as const
const open = { list: staff, create: staff, edit: staff, delete: staff }
const name = { type: 'text', label: ['Name', 'Название'], required: true } as const

const yard = defineResource({
  name: 'yard',
  label: { one: ['Yard', 'Двор'], many: ['Yards', 'Дворы'] },
  fields: { name },
  access: open,
})

const worker = defineResource({
  name: 'worker',
  label: { one: ['Worker', 'Рабочий'], many: ['Workers', 'Рабочие'] },
  fields: { name, grade: { type: 'integer', label: ['Grade', 'Разряд'] } },
  access: { ...open, list: ['admin'], show: ['admin'] },
})

const boss = { type: 'reference', label: ['Boss', 'Начальник'], to: 'worker' } as const

/** Ways in which an action writes a reference. */
const job = defineResource({
  name: 'job',
  label: { one: ['Job', 'Работа'], many: ['Jobs', 'Работы'] },
  fields: {
    name,
    bossId: boss,
    seniorId: { ...boss, label: ['Senior', 'Старший'], options: 'worker?grade_gte=5' },
    formerId: { ...boss, label: ['Former', 'Прежний'] },
  },
  actions: {
    misdirect: { label: ['Misdirect', 'Сбить'], form: { bossId: { ...boss, to: 'yard' } } },
    write: { label: ['Write', 'Вписать'], form: { x: { type: 'text', label: ['Id', 'Номер'] } }, set: { bossId: '$form.x' } },
    invent: { label: ['Invent', 'Выдумать'], set: { bossId: 'nobody' } },
    promote: { label: ['Promote', 'Повысить'], form: { who: boss }, set: { seniorId: '$form.who' } },
    entrust: {
      label: ['Entrust', 'Поручить'],
      form: { who: { ...boss, options: 'worker?grade=1' } },
      set: { bossId: '$form.who' },
    },
    retire: { label: ['Retire', 'Сменить'], set: { formerId: '$record.bossId', bossId: null } },
  },
  access: open,
})

describe.each(oneEngine(import.meta.filename))('a reference that an action writes, on $name', (engine) => {
  let server: ToyServer
  let [place, young, old]: Json[] = []
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([yard, worker, job]))
    place = await server.made('yard', { name: 'North' })
    young = await server.made('worker', { name: 'Ann', grade: 1 })
    old = await server.made('worker', { name: 'Bob', grade: 6 })
  })
  afterAll(() => server.close())

  const made = (more: Json = {}) => server.made('job', { name: 'Lift', ...more })
  const lost = (field: string) => ({ status: 400, body: { fields: { [field]: expect.stringContaining('no such record') } } })

  it('points to a record of its resource', async () => {
    const { id } = await made()
    expect(await server.put(`job/${id}/misdirect`, { bossId: place?.id })).toMatchObject(lost('bossId'))
    expect(await server.put(`job/${id}/write`, { x: 'no such' })).toMatchObject(lost('bossId'))
    expect(await server.put(`job/${id}/write`, { x: place?.id })).toMatchObject(lost('bossId'))
    expect(await server.put(`job/${id}/invent`, {})).toMatchObject(lost('bossId'))
    expect((await server.get(`job/${id}`)).body).toMatchObject({ bossId: null, version: 1 })
    expect(await server.put(`job/${id}/write`, { x: old?.id })).toMatchObject({ status: 200, body: { bossId: old?.id } })
  })

  it('is one that its options list', async () => {
    const { id } = await made()
    expect(await server.put(`job/${id}/promote`, { who: young?.id })).toMatchObject({
      status: 400,
      body: { fields: { seniorId: expect.stringContaining('cannot be chosen') } },
    })
    expect((await server.put(`job/${id}/promote`, { who: old?.id })).status).toBe(200)
  })

  it('is one that the caller may see, that the form offers, or that the definition takes from the record', async () => {
    const { id } = await made({ bossId: old?.id })
    expect(await server.put(`job/${id}/write`, { x: young?.id }, 'moderator')).toMatchObject(lost('bossId'))
    expect((await server.put(`job/${id}/retire`, {}, 'moderator')).body).toMatchObject({ bossId: null, formerId: old?.id })
    const entrusted = await server.put(`job/${id}/entrust`, { who: young?.id }, 'moderator')
    expect(entrusted).toMatchObject({ status: 200, body: { bossId: young?.id } })
  })
})
