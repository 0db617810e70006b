import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const text = { type: 'text', label: ['Text', 'Текст'] } as const

/** Its title is the address; references show its name, which is worked out, and its town to admins. */
const customer = defineResource({
  name: 'customer',
  label: { one: ['Customer', 'Клиент'], many: ['Customers', 'Клиенты'] },
  title: 'email',
  summary: ['name', 'town', 'size'],
  fields: {
    email: { type: 'email', label: ['E-mail', 'Почта'], required: true },
    firstName: text,
    lastName: text,
    name: { ...text, derived: true },
    town: { ...text, access: { read: ['admin'] } },
    phone: { type: 'phone', label: ['Phone', 'Телефон'] },
    size: { type: 'integer', label: ['Size', 'Размер'] },
  },
  access: { list: staff, create: staff },
})

const order = defineResource({
  name: 'order',
  label: { one: ['Order', 'Заказ'], many: ['Orders', 'Заказы'] },
  fields: {
    code: { ...text, required: true },
    customerId: { type: 'reference', label: ['Customer', 'Клиент'], to: 'customer' },
  },
  list: { columns: ['code', 'customerId'], search: ['code', 'customerId'], sort: { field: 'code', order: 'asc' } },
  access: { list: staff, create: staff, delete: staff },
})

const rules = { customer: { derived: { name: sql`"t"."firstName" || ' ' || "t"."lastName"` } } }

describe.each(engines)('the search of a list over a reference on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, rules, definitionsOf([customer, order]))
    const carl = {
      email: 'carl@a.example',
      firstName: 'Carl',
      lastName: 'Client',
      town: 'Bern',
      phone: '+79161234567',
      size: 77,
    }
    const { id } = await server.made('customer', carl)
    const { id: other } = await server.made('customer', { email: 'anna@a.example', firstName: 'Anna' })
    await server.made('order', { code: 'O-1', customerId: id })
    await server.made('order', { code: 'O-2', customerId: other })
    await server.made('order', { code: 'O-3' })
  })
  afterAll(() => server.close())
  const found = async (q: string, as = 'admin') => {
    const { rows } = await server.get(`order?q=${encodeURIComponent(q)}`, as)
    return rows.map(({ code }) => code).join(' ')
  }

  it('finds what the list shows of the record, and its title', async () => {
    expect(await found('carl client')).toBe('O-1')
    expect(await found('arl@a')).toBe('O-1')
    expect(await found('anna')).toBe('O-2')
    expect(await found('Bern')).toBe('O-1')
    expect(await found('O-')).toBe('O-1 O-2 O-3')
  })

  it('finds each word in any of the texts that it searches, in any order', async () => {
    for (const q of ['Client Bern', 'bern CARL o-1', 'carl@a  o-', '"Carl Client" Bern', 'Bern "Carl Cli'])
      expect(await found(q)).toBe('O-1')
    for (const q of ['Client O-2', 'Carl Anna', 'Bern zz']) expect(await found(q)).toBe('')
  })

  it('finds what stands in quotes, and more than five words, as it is written', async () => {
    for (const q of ['"Client Bern"', '"Client Carl"', '"O-1 Carl"']) expect(await found(q)).toBe('')
    expect(await found('carl client bern o-1 c')).toBe('O-1')
    expect(await found('carl client bern o-1 c a')).toBe('')
    const { id } = await server.made('order', { code: 'B 5" long' })
    for (const q of ['5"', '5" long', '"B 5"', 'long "B 5"']) expect(await found(q)).toBe('B 5" long')
    await server.delete(`order/${id}`)
  })

  it('finds nothing across two texts, nor by what is not shown to the caller', async () => {
    for (const q of ['+7916', '77', 'exampleCarl']) expect(await found(q)).toBe('')
    expect(await found('Carl Bern', 'moderator')).toBe('')
    expect(await found('Bern', 'moderator')).toBe('')
    expect(await found('Carl', 'moderator')).toBe('O-1')
  })
})
