import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const plate = { type: 'code', label: ['Plate', 'Номер'], pattern: '[A-Z]{2}', help: ['Two letters', 'Две буквы'] } as const

const code = { type: 'text', label: ['Code', 'Код'], maxLength: 9, default: '{name}' } as const

const cart = defineResource({
  name: 'cart',
  label: { one: ['Cart', 'Тележка'], many: ['Carts', 'Тележки'] },
  title: 'name',
  fields: { name: { type: 'text', label: ['Name', 'Название'], required: true }, front: code, back: code },
  access: { list: staff, create: staff, edit: staff, delete: staff },
})

const van = defineResource({
  name: 'van',
  label: { one: ['Van', 'Фургон'], many: ['Vans', 'Фургоны'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    kind: { type: 'enum', label: ['Kind', 'Вид'], options: ['A', 'B'], default: 'A' },
    short: { type: 'text', label: ['Short', 'Кратко'], maxLength: 6, default: 'v-{name}', readOnly: true },
    plate: { ...plate, default: '{name}', when: { field: 'kind', op: 'eq', value: 'B' } },
    mark: { type: 'text', label: ['Mark', 'Метка'], maxLength: 5, default: '{name}', access: { read: ['admin'] } },
  },
  actions: {
    paint: {
      label: ['Paint', 'Покрасить'],
      form: { word: { type: 'text', label: ['Word', 'Слово'] }, plate: { ...plate, default: '{word}' } },
    },
  },
  access: { list: staff, create: staff, edit: staff, delete: staff },
})

describe.each(oneEngine(import.meta.filename))('a computed default, on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([van, cart]), [fillingPart({ rules: {}, mailOf: mailerOf })])
  })
  afterAll(() => server.close())

  it('is stored as if it were typed', async () => {
    expect(await server.made('van', { name: 'ab', kind: 'B' })).toMatchObject({ short: 'v-ab', plate: 'AB', mark: 'ab' })
  })

  it('belongs to each field that shares its description', async () => {
    expect(await server.made('cart', { name: 'ab' })).toMatchObject({ front: 'ab', back: 'ab' })
    const long = 'Use at most 9 characters'
    expect((await server.post('cart', { name: 'wheelbarrow' })).body.fields).toEqual({ front: long, back: long })
  })

  it('is refused at its own field where the caller fills that in', async () => {
    expect((await server.post('van', { name: 'z-9', kind: 'B' })).body.fields).toEqual({
      plate: expect.stringContaining('Two letters'),
    })
    expect(await server.made('van', { name: 'z-9', kind: 'B', plate: 'ZZ' })).toMatchObject({ plate: 'ZZ' })
  })

  it('is refused at the value that it is made of where nobody fills it in', async () => {
    const { status, body } = await server.post('van', { name: 'Wagon', mark: 'W' })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { name: 'A field is made of this, and the result does not fit. Short: Use at most 6 characters' },
    })
  })

  it('does not tell of a field that the caller does not read', async () => {
    const named = { ...van, fields: { ...van.fields, short: { ...van.fields.short, maxLength: 60 } } }
    const other = await openToyServer(engine, {}, definitionsOf([named]))
    const { status, body } = await other.post('van', { name: 'Wagons' }, 'moderator')
    await other.close()
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { name: 'A field is made of this, and takes no such value' },
    })
  })

  it('is held to the same in an import', async () => {
    const body = 'name,kind\nab,A\nWagon,A\nz-9,B\n'
    const report = await server.call('POST', 'import/van?dryRun=true', { headers: { 'content-type': 'text/csv' }, body })
    expect(report.body.faults).toMatchObject([
      { row: 3, message: expect.stringContaining('Short: Use at most 6 characters') },
      { row: 4, message: expect.stringContaining('Two letters') },
    ])
  })

  it('is not asked where its field does not apply', async () => {
    expect(await server.made('van', { name: 'z-9' })).toMatchObject({ plate: null })
  })

  it('is held to the same in the form of an action', async () => {
    const { id } = await server.made('van', { name: 'ab' })
    expect((await server.put(`van/${id}/paint`, { word: 'x-1' })).body.fields).toEqual({
      plate: expect.stringContaining('Two letters'),
    })
  })
})
