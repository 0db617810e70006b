import { beforeEach, describe, expect, it } from 'vitest'
import type { Fields } from '#schema/field-types.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const power = (facts: object): Fields[string] => ({ type: 'quantity', label, unit: 'W', ...facts }) as Fields[string]
const amount = (facts: object) => ({ type: 'decimal', label, ...facts }) as const
const inGroup = (fields: Fields): Fields => ({ plant: { type: 'group', label, fields } })

describe.each(engines)('a start by another unit of a number on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })

  it('is refused where one fixed unit takes the place of another, and says the way out', async () => {
    const record = (facts: object) => visit({ power: power(facts), ...inGroup({ power: power(facts) }) })
    await table.start(record({}))
    await table.fill('visit', [
      { id: 'a', power: 5, plant: { power: 7 } },
      { id: 'b', power: null, plant: null },
    ])
    const next = record({ unit: 'A' })
    const { obstacles } = await table.plan(next)
    expect(obstacles.toSorted((a, b) => b.field.localeCompare(a.field))).toMatchObject([
      { kind: 'unit', field: 'power', rows: 1, stored: 'W', defined: 'A', examples: [{ id: 'a', value: 5 }] },
      { kind: 'unit', field: 'plant.power', rows: 1, examples: [{ id: 'a', value: 7 }] },
    ])
    await expect(table.start(next)).rejects.toThrow('visit.power: 1 row holds a value in another unit than A (it was in W)')
    await expect(table.start(next)).rejects.toThrow("say `unitWas: 'W'` at the field, if the values are in A and only")
  })

  it('goes on where the definition says that the unit was called otherwise', async () => {
    const record = (facts: object) => visit({ power: power(facts), ...inGroup({ power: power(facts) }) })
    await table.start(record({}))
    await table.fill('visit', [{ id: 'a', power: 5, plant: { power: 7 } }])
    expect(await table.refusalOf(record({ unit: 'A', unitWas: 'V' }))).toHaveLength(2)
    await table.start(record({ unit: 'A', unitWas: ['V', 'W'] }))
    expect(await table.rows('"power", "plant"')).toEqual([{ power: 5, plant: { power: 7 } }])
    expect((await table.plan(record({ unit: 'A' }))).obstacles).toEqual([])
  })

  it('goes on where no row holds a value', async () => {
    await table.start(visit({ power: power({}) }))
    await table.fill('visit', [{ id: 'a', power: null }])
    expect((await table.plan(visit({ power: power({ unit: 'A' }) }))).obstacles).toEqual([])
  })

  it('is refused where the unit stands in another field that holds another one, and in none any more', async () => {
    const record = (facts: object) => visit({ size: amount(facts), unit: text, other: text })
    await table.start(record({ unitOf: 'unit' }))
    await table.fill('visit', [
      { id: 'a', size: 5, unit: 'm', other: 'm' },
      { id: 'b', size: 6, unit: 'm', other: 'km' },
    ])
    expect(await table.refusalOf(record({ unitOf: 'other' }))).toMatchObject([
      { kind: 'unit', field: 'size', rows: 1, defined: 'the unit in `other`', examples: [{ id: 'b' }] },
    ])
    expect(await table.refusalOf(record({}))).toMatchObject([{ kind: 'unit', rows: 2, defined: 'no unit' }])
    await table.start(record({ unitWas: 'unit' }))
  })

  it('goes on where a number that had no unit is given one, and where the field of the unit is called otherwise', async () => {
    await table.start(visit({ size: amount({}), unit: text }))
    await table.fill('visit', [{ id: 'a', size: 5, unit: 'm' }])
    await table.start(visit({ size: amount({ unitOf: 'unit' }), unit: text }))
    const renamed = visit({ size: amount({ unitOf: 'measure' }), measure: { ...text, was: 'unit' } })
    expect((await table.plan(renamed)).obstacles).toEqual([])
  })
})
