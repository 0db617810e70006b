import { beforeEach, describe, expect, it } from 'vitest'
import type { Fields } from '#schema/field-types.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const amount = (facts: object) => ({ type: 'money', label, ...facts }) as const
const record = (fee: object, more: Fields = {}) => {
  const parts = { fee: amount(fee), currency: text, other: text }
  return visit({ ...parts, bill: { type: 'list', label, fields: parts }, ...more })
}

describe.each(engines)('a start by another currency of an amount on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
  })
  const item = (fee: number, currency: string | null) => ({ fee, currency })
  /** Obstacles in the order of their fields. */
  const refusal = async (facts: object) =>
    (await table.refusalOf(record(facts))).toSorted((a, b) => String(b.field).localeCompare(String(a.field)))
  const fill = () =>
    table.fill('visit', [
      { id: 'a', fee: 5, currency: 'EUR', other: 'EUR', bill: [item(1, 'JPY'), item(2, 'EUR')] },
      { id: 'b', fee: 6, currency: 'JPY', other: 'USD', bill: [item(3, 'JPY')] },
      { id: 'c', fee: null, currency: 'EUR', bill: null },
    ])

  it('is refused where the amounts of rows were counted in another one', async () => {
    await table.start(record({ currencyOf: 'currency' }))
    await fill()
    expect(await refusal({ currency: 'JPY' })).toMatchObject([
      {
        kind: 'currency',
        field: 'fee',
        rows: 1,
        stored: 'the currency in `currency`',
        defined: 'JPY',
        examples: [{ id: 'a', value: 5 }],
      },
      { kind: 'currency', field: 'bill.fee', rows: 1, examples: [{ id: 'a', value: 2 }] },
    ])
    expect(await refusal({ currencyOf: 'other' })).toMatchObject([
      { field: 'fee', rows: 1, examples: [{ id: 'b' }], defined: 'the currency in `other`' },
      { field: 'bill.fee', rows: 2 },
    ])
    await expect(table.start(record({ currency: 'JPY' }))).rejects.toThrow(
      'visit.fee: 1 row holds an amount in another currency than JPY (it was in the currency in `currency`)',
    )
  })

  it('is refused where one fixed currency takes the place of another', async () => {
    await table.start(record({ currency: 'EUR' }))
    await fill()
    expect(await refusal({ currency: 'USD' })).toMatchObject([
      { kind: 'currency', field: 'fee', rows: 2, stored: 'EUR', defined: 'USD' },
      { kind: 'currency', field: 'bill.fee', rows: 2 },
    ])
  })

  it('goes on where every amount is in the currency that is said now, under whatever name, and where there is no amount', async () => {
    await table.start(record({ currencyOf: 'currency' }))
    expect(await table.refusalOf(record({ currency: 'JPY' }))).toEqual([])
    await table.start(record({ currencyOf: 'currency' }))
    await table.fill('visit', [{ id: 'a', fee: 5, currency: 'EUR', bill: [item(1, 'EUR')] }])
    expect(await table.refusalOf(record({ currency: 'EUR' }))).toEqual([])
    const parts = { fee: amount({ currencyOf: 'money' }), money: { ...text, was: 'currency' }, other: text }
    const { obstacles } = await table.plan(visit({ ...parts, bill: { type: 'list', label, fields: parts } }))
    expect(obstacles).toEqual([])
  })

  it('goes on where a new field holds the former currency by its default', async () => {
    await table.start(visit({ fee: amount({ currency: 'EUR' }) }))
    await table.fill('visit', [{ id: 'a', fee: 5 }])
    const next = (preset: string) => visit({ fee: amount({ currencyOf: 'money' }), money: { ...text, default: preset } })
    expect(await table.refusalOf(next('USD'))).toMatchObject([{ kind: 'currency', field: 'fee', rows: 1 }])
    expect(await table.refusalOf(next('EUR'))).toEqual([])
  })
})
