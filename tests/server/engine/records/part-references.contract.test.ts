import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyAnswer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

const staff = ['admin', 'moderator'] as const
const open = { list: staff, create: staff, edit: staff, delete: staff }

const crane = defineResource({
  name: 'crane',
  label: { one: ['Crane', 'Кран'], many: ['Cranes', 'Краны'] },
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true },
    kind: { type: 'enum', label: ['Kind', 'Вид'], options: ['A', 'B'] },
  },
  access: { ...open, list: ['admin'], show: ['admin'] },
})

const ofKindA = { type: 'reference', label: ['Crane', 'Кран'], to: 'crane', options: 'crane?kind=A' } as const
const many = { type: 'references', label: ['Others', 'Другие'], to: 'crane', options: 'crane?kind=A' } as const
const items = { type: 'list', label: ['Items', 'Строки'], fields: { craneId: ofKindA, craneIds: many } } as const

/** Rows that point to records, and records that only an admin may list. */
const job = defineResource({
  name: 'job',
  label: { one: ['Job', 'Работа'], many: ['Jobs', 'Работы'] },
  fields: { name: { type: 'text', label: ['Name', 'Название'], required: true }, items },
  actions: { plan: { label: ['Plan', 'Запланировать'], form: { items } } },
  access: open,
})

describe.each(oneEngine(import.meta.filename))('a reference in the rows of a list, on $name', (engine) => {
  let server: ToyServer
  let [good, wrong]: Json[] = []
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([crane, job]))
    good = await server.made('crane', { code: 'C-1', kind: 'A' })
    wrong = await server.made('crane', { code: 'C-2', kind: 'B' })
  })
  afterAll(() => server.close())

  const faultsOf = ({ status, body }: ToyAnswer) => ({ status, fields: body.fields })
  const refused = (...paths: string[]) => ({
    status: 400,
    fields: Object.fromEntries(paths.map((path) => [path, expect.stringContaining('cannot be chosen')])),
  })

  it('is refused where its options do not list the record', async () => {
    const rows = [{ craneId: good?.id }, { craneId: wrong?.id, craneIds: [good?.id, wrong?.id] }]
    const asked = { name: 'Lift', items: rows }
    expect(faultsOf(await server.post('job', asked))).toEqual(refused('items.1.craneId', 'items.1.craneIds.1'))
    const { id } = await server.made('job', { name: 'Lift', items: [{ craneId: good?.id }] })
    const edited = await server.put(`job/${id}`, { items: rows, version: 1 })
    expect(faultsOf(edited)).toEqual(refused('items.1.craneId', 'items.1.craneIds.1'))
    expect(faultsOf(await server.put(`job/${id}/plan`, { items: rows }))).toEqual(
      refused('items.1.craneId', 'items.1.craneIds.1'),
    )
  })

  it('is no way to a record that the role may not list', async () => {
    const sent = (crane: Json | undefined) => server.post('job', { name: 'Lift', items: [{ craneId: crane?.id }] }, 'moderator')
    expect((await server.get('crane', 'moderator')).status).toBe(403)
    expect((await sent(good)).status).toBe(201)
    expect(faultsOf(await sent(wrong))).toMatchObject({ status: 400, fields: { 'items.0.craneId': expect.any(String) } })
  })
})
