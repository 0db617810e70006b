import { describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { chooseColumns } from '#server/engine/export/csv-columns.ts'

const offer = defineResource({
  name: 'offer',
  label: { one: ['Offer', 'Предложение'], many: ['Offers', 'Предложения'] },
  title: 'code',
  fields: {
    code: { type: 'code', label: ['Code', 'Код'] },
    fee: { type: 'money', label: ['Fee', 'Плата'], currencyOf: 'currency' },
    amount: { type: 'decimal', label: ['Amount', 'Количество'], unitOf: 'unit' },
    unit: { type: 'text', label: ['Unit', 'Единица'] },
    currency: { type: 'enum', label: ['Currency', 'Валюта'], options: ['EUR', 'JPY'] },
  },
  list: { columns: ['code', 'fee', 'amount'] },
  access: { list: ['admin'] },
})

describe('the columns of an export', () => {
  const chosen = (asked?: string[], readable: (path: string) => boolean = () => true) =>
    chooseColumns(asked, {
      resource: offer,
      definitions: definitionsOf([offer]),
      fields: offer.fields,
      readable,
      language: 'en',
    }).map(({ path }) => path)

  it('have currency and unit behind the first figure that needs them', () => {
    expect(chosen()).toEqual(['code', 'fee', 'currency', 'amount', 'unit'])
    expect(chosen(['amount', 'code'])).toEqual(['amount', 'unit', 'code'])
  })

  it('have them once, where they were asked for', () => {
    expect(chosen(['currency', 'code', 'fee'])).toEqual(['currency', 'code', 'fee'])
  })

  it('leave out what the caller may not read', () => {
    expect(chosen(undefined, (path) => path !== 'currency')).toEqual(['code', 'fee', 'amount', 'unit'])
  })
})
