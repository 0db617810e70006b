import { beforeEach, describe, expect, it } from 'vitest'
import type { Field, Fields } from '#schema/field-types.ts'
import { changingDatabase, label, type Raw, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field
const record = (currency: Field, unit: Field = of('enum', { options: ['kg', 'lb'] })) => {
  const fields: Fields = {
    currency,
    unit,
    fee: of('money', { currencyOf: 'currency' }),
    weight: of('decimal', { unitOf: 'unit' }),
  }
  return visit({ ...fields, bill: of('list', { fields }) })
}
const codes = (...options: string[]) => of('enum', { options })
const without = (facts: object) => of('enum', { options: ['EUR', 'USD'], ...facts })

describe.each(engines)('a choice that numbers are counted in, and that goes, on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(record(codes('EUR', 'USD', 'JPY')))
    const yen = { fee: 1000, currency: 'JPY', unit: 'kg', weight: 2 }
    const euro = { fee: 5, currency: 'EUR', unit: 'lb', weight: 3 }
    await table.fill('visit', [
      { id: 'a', ...yen, bill: [yen, yen] },
      { id: 'b', ...euro, bill: [euro] },
      { id: 'c', currency: 'JPY', fee: null, unit: 'kg', bill: null },
    ] as Raw[])
  })
  const obstaclesOf = async (...next: Parameters<typeof record>) =>
    (await table.plan(record(...next))).obstacles.toSorted((a, b) => Number(a.field > b.field) * 2 - 1)

  it('never turns amounts into another currency, and names the fields with their rows', async () => {
    const next = without({ choicesGone: { JPY: 'EUR' } })
    const about = { kind: 'measure', stored: 'currency', defined: 'JPY → EUR' }
    const found = await obstaclesOf(next)
    expect(found).toHaveLength(2)
    expect(found).toMatchObject([
      { ...about, field: 'bill.fee', rows: 1, examples: [{ id: 'a', value: 1000 }] },
      { ...about, field: 'fee', rows: 1, examples: [{ id: 'a', value: 1000 }] },
    ])
    await expect(table.start(record(next))).rejects.toThrow(
      'visit.fee: 1 row holds a number in a unit or currency that `currency` gives up (JPY → EUR)',
    )
    const { planId } = await table.apply([record(next)])
    expect(planId).toBeUndefined()
    expect(await table.run(`select "currency" from "visit" where "id" = 'a'`)).toEqual([{ currency: 'JPY' }])
  })

  it('never leaves amounts without a currency', async () => {
    expect(await obstaclesOf(without({ choicesGone: { JPY: null } }))).toMatchObject([{ field: 'bill.fee' }, { field: 'fee' }])
  })

  it('never turns numbers into another unit', async () => {
    const kilos = of('enum', { options: ['kg'], choicesGone: { lb: 'kg' } })
    expect(await obstaclesOf(codes('EUR', 'USD', 'JPY'), kilos)).toMatchObject([
      { kind: 'measure', field: 'bill.weight', rows: 1 },
      { kind: 'measure', field: 'weight', rows: 1, stored: 'unit', defined: 'lb → kg', examples: [{ id: 'b', value: 3 }] },
    ])
  })

  it('goes where it is only called otherwise, and where no number is counted in it', async () => {
    const pounds = of('enum', { options: ['kg', 'pound'], choicesWere: { pound: 'lb' } })
    expect(await obstaclesOf(codes('EUR', 'USD', 'JPY'), pounds)).toEqual([])
    await table.run(`update "visit" set "fee" = null, "bill" = null`)
    expect(await obstaclesOf(without({ choicesGone: { JPY: 'EUR' } }))).toEqual([])
    await table.change(record(without({ choicesGone: { JPY: 'EUR' } })))
  })

  it('is no longer asked for when it has gone', async () => {
    const next = without({ choicesGone: { JPY: 'EUR' } })
    await table.run(`update "visit" set "fee" = null, "bill" = null`)
    await table.change(record(next))
    await table.run(`update "visit" set "fee" = 7`)
    expect(await obstaclesOf(next)).toEqual([])
  })

  it('is not lost by a conversion of the field that names it', async () => {
    const inWords = of('text')
    await table.start(record(inWords, inWords))
    await table.run(`update "visit" set "currency" = 'Euro', "bill" = null where "id" = 'b'`)
    await table.run(`update "visit" set "bill" = null`)
    const codes = (facts: object) => of('enum', { options: ['EUR', 'USD'], convert: { from: 'text', ...facts } })
    const found = await obstaclesOf(codes({ values: { Euro: 'EUR', JPY: 'USD' } }), inWords)
    expect(found).toMatchObject([{ kind: 'measure', field: 'fee', rows: 1, examples: [{ id: 'a', value: 1000 }] }])
    const rest = await obstaclesOf(codes({ otherwise: 'EUR' }), inWords)
    expect(rest).toMatchObject([{ kind: 'measure', field: 'fee', rows: 2 }])
  })
})
