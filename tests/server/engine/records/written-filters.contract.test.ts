import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { engines } from '#tests/support/databases.ts'
import { people } from '#tests/support/toy-resource.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const parcel = defineResource({
  name: 'parcel',
  label: { one: ['Parcel', 'Посылка'], many: ['Parcels', 'Посылки'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    number: {
      type: 'code',
      label: ['Number', 'Номер'],
      pattern: '^[A-Z]{2}-[0-9]{4}$',
      help: ['Two letters and digits', 'Буквы и цифры'],
    },
    seal: { type: 'hex', label: ['Seal', 'Пломба'], bytes: 3 },
    email: { type: 'email', label: ['E-mail', 'Почта'] },
    phone: { type: 'phone', label: ['Phone', 'Телефон'] },
    build: { type: 'semver', label: ['Build', 'Сборка'] },
    office: {
      type: 'group',
      label: ['Office', 'Отделение'],
      fields: { code: { type: 'code', label: ['Code', 'Код'] } },
    },
  },
  list: { views: { own: { label: ['Own', 'Свои'], filters: { number: 'im-3001' } } } },
})

describe.each(engines)('a filter of a list on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([parcel, people]))
    const one = {
      number: 'IM-3001',
      seal: 'e7:c6:62',
      email: 'Ann@Example.org',
      phone: '+7 495 123-45-67',
      build: '1.2.10',
      office: { code: 'msk-1' },
    }
    const other = { ...one, number: 'IM-3002', seal: 'AABBCC', email: 'b@example.org', phone: '+74951234568', build: '1.2.9' }
    await server.made('parcel', { name: 'One', ...one })
    await server.made('parcel', { name: 'Other', ...other, office: { code: 'SPB' } })
  })
  afterAll(() => server.close())
  const namesOf = async (query: Record<string, string>) =>
    (await server.get(`parcel?${new URLSearchParams(query)}`)).rows.map(({ name }) => name)

  it.each([
    { query: { number: 'im-3001' }, found: ['One'] },
    { query: { number: ' IM-3001 ' }, found: ['One'] },
    { query: { number_ne: 'im-3001' }, found: ['Other'] },
    { query: { seal: 'E7 C6 62' }, found: ['One'] },
    { query: { seal: 'e7c662' }, found: ['One'] },
    { query: { email: 'ANN@example.ORG' }, found: ['One'] },
    { query: { phone: '007 (495) 123-45-67' }, found: ['One'] },
    { query: { build: ' 1.2.10' }, found: ['One'] },
    { query: { 'office.code': 'msk-1' }, found: ['One'] },
    { query: { number: 'im' }, found: [] },
  ])('finds $found by $query, however it is written', async ({ query, found }) => {
    expect(await namesOf(query)).toEqual(found)
  })
})
