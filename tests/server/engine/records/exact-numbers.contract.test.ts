import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'
import { engines } from '#tests/support/databases.ts'
import { people } from '#tests/support/toy-resource.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const inCurrency = {
  price: { type: 'money', label: ['Price', 'Цена'], currencyOf: 'currency' },
  currency: { type: 'enum', label: ['Currency', 'Валюта'], options: ['EUR', 'JPY'] },
} as const
const invoice = (ratio: Field) =>
  defineResource({
    name: 'invoice',
    label: { one: ['Invoice', 'Счёт'], many: ['Invoices', 'Счета'] },
    title: 'code',
    fields: {
      code: { type: 'code', label: ['Code', 'Код'], required: true },
      total: { type: 'money', label: ['Total', 'Сумма'], currencyOf: 'currency' },
      currency: { type: 'enum', label: ['Currency', 'Валюта'], options: ['EUR', 'USD', 'JPY'] },
      fee: { type: 'money', label: ['Fee', 'Сбор'], currency: 'EUR' },
      terms: {
        type: 'group',
        label: ['Terms', 'Условия'],
        fields: {
          rate: { type: 'decimal', label: ['Rate', 'Ставка'], digits: 3 },
          ...inCurrency,
        },
      },
      ratio,
      bills: { type: 'list', label: ['Bills', 'Счета'], fields: inCurrency },
    },
    rules: [
      {
        rule: {
          any: [
            { field: 'fee', op: 'null', value: true },
            { field: 'fee', op: 'lte', value: '$record.total' },
          ],
        },
        at: 'fee',
        message: ['The fee is part of the total', 'Сбор входит в сумму'],
      },
    ],
    access: { list: staff, create: staff, edit: staff, delete: staff },
  })

describe.each(engines)('exact numbers on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    const definitions = definitionsOf([invoice({ type: 'decimal', label: ['Ratio', 'Доля'] }), people])
    server = await openToyServer(engine, {}, definitions)
  })
  afterAll(() => server.close())
  const made = (code: string, values: object) => server.made('invoice', { code, ...values })

  it('are stored and answered as they were written', async () => {
    const { id } = await made('A1', { total: 1234.57, currency: 'EUR', fee: 0.3, terms: { rate: 0.125 } })
    expect((await server.get(`invoice/${id}`)).body).toMatchObject({ total: 1234.57, fee: 0.3, terms: { rate: 0.125 } })
    expect(
      await server.select(
        `select "total"::text, "fee"::text, pg_typeof("fee")::text as "type" from "invoice" where "id" = '${id}'`,
      ),
    ).toEqual([{ total: '1234.57', fee: '0.3', type: 'numeric' }])
    const largest = await made('A2', { total: 9999999999999.99 })
    expect((await server.get(`invoice/${largest.id}`)).body.total).toBe(9999999999999.99)
  })

  it('are refused with more figures than there is room for, at their fields', async () => {
    const answer = await server.post('invoice', { code: 'B1', total: 0.1 + 0.2, fee: 12.345, terms: { rate: 0.0001 } })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        fields: {
          total: 'Use at most 15 figures',
          fee: 'Use at most 2 decimals',
          'terms.rate': 'Use at most 3 decimals',
        },
      },
    })
  })

  it('are held against the currency of their record, also when that alone changes', async () => {
    const refused = { status: 400, body: { fields: { total: 'Use a whole number' } } }
    expect(await server.post('invoice', { code: 'Y1', total: 10.5, currency: 'JPY' })).toMatchObject(refused)
    const { id } = await made('Y2', { total: 120.5, currency: 'EUR' })
    expect(await server.put(`invoice/${id}`, { currency: 'JPY', version: 1 })).toMatchObject(refused)
    expect(await server.put(`invoice/${id}`, { total: 120, currency: 'JPY', version: 1 })).toMatchObject({ status: 200 })
  })

  it('are held against the currency beside them, in a group and in each row of a list', async () => {
    const [euros, yen] = ['EUR', 'JPY'].map((currency) => ({ price: 10.5, currency }))
    const answer = await server.post('invoice', { code: 'Z1', currency: 'EUR', terms: yen, bills: [euros, yen] })
    const whole = 'Use a whole number'
    expect(answer).toMatchObject({ status: 400, body: { fields: { 'terms.price': whole, 'bills.1.price': whole } } })
    expect(Object.keys(Object(answer.body.fields))).toHaveLength(2)
    const { id } = await made('Z2', { currency: 'JPY', terms: euros, bills: [euros] })
    expect(await server.put(`invoice/${id}`, { bills: [yen], version: 1 })).toMatchObject({
      status: 400,
      body: { fields: { 'bills.0.price': whole } },
    })
  })

  it('are found by their exact value, in their order, and in no other', async () => {
    for (const [code, total] of [
      ['C1', 0.1],
      ['C2', 0.2],
      ['C3', 0.3],
      ['C4', 10],
      ['C5', 9.99],
    ] as const)
      await made(code, { total, terms: { rate: total / 10 } })
    const codes = async (query: string) => (await server.get(`invoice?code_like=C&${query}`)).rows.map(({ code }) => code)
    expect(await codes('total=0.3')).toEqual(['C3'])
    expect(await codes('total=0.30')).toEqual(['C3'])
    expect(await codes('total_gte=0.2&total_lte=9.99&_sort=total')).toEqual(['C2', 'C3', 'C5'])
    expect(await codes('_sort=total&_order=desc')).toEqual(['C4', 'C5', 'C3', 'C2', 'C1'])
    expect(await codes('terms.rate_gte=0.03&_sort=terms.rate')).toEqual(['C3', 'C5', 'C4'])
    expect((await server.get('invoice?total=0.30000000000000004')).status).toBe(400)
    expect((await server.get('invoice?total=123456789012345.678')).status).toBe(400)
  })

  it('are compared by rules as numbers', async () => {
    expect((await server.post('invoice', { code: 'D1', total: 10, fee: 9.99 })).status).toBe(201)
    expect(await server.post('invoice', { code: 'D2', total: 9.99, fee: 10 })).toMatchObject({
      status: 400,
      body: { fields: { fee: expect.any(String) } },
    })
  })

  it('take over what a column of floating point held', async () => {
    const ratio = { type: 'decimal', label: ['Ratio', 'Доля'] } as const
    const withBill = (field: Field) => definitionsOf([invoice(ratio), { ...invoice(field), name: 'bill' }, people])
    const measured = withBill({ ...ratio, type: 'percent' })
    await prepareTables(server.database, measured, {})
    await sql`insert into "bill" ("id", "code", "ratio") values ('b1', 'B', 12.5), ('b2', 'B', 0.1)`.execute(
      server.database.kysely,
    )
    const { drift } = await prepareTables(server.database, withBill({ ...ratio, convert: { from: 'percent' } }), {})
    expect(drift).toEqual([])
    expect(await server.select('select "id", "ratio"::text as "ratio" from "bill" order by "id"')).toEqual([
      { id: 'b1', ratio: '12.5' },
      { id: 'b2', ratio: '0.1' },
    ])
  })
})
