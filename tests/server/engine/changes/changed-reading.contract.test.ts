import { beforeEach, describe, expect, it } from 'vitest'
import type { Field, Fields } from '#schema/field-types.ts'
import { changingDatabase, label, type Raw, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field
const unit = of('text')
const inGroup = (value: Field) => of('group', { fields: { value, unit } })
const record = (value: Field) => visit({ value, unit, place: inGroup(value) })
const file = { id: 'made-up', name: 'a', sizeBytes: 1, sha256: 'x' }
const shifts = (one: string, two: string, facts: object = {}) =>
  of('integer', { options: { 1: [one, 'А'], 2: [two, 'Б'] }, ...facts })
const kinds = (facts: object) => of('enum', facts)

/** Types of one column, and a value that both take. */
const misread: readonly [Field, Field, unknown][] = [
  [of('percent'), of('quantity', { unit: 'W', digits: 1 }), 50],
  [of('quantity', { unit: 'W' }), of('percent'), 50],
  [of('integer'), of('duration'), 5],
  [of('integer'), of('bytes'), 5],
  [of('bytes'), of('duration'), 3600],
  [of('duration'), of('bytes'), 3600],
  [of('bytes'), of('decimal'), 5],
  [of('decimal', { unitOf: 'unit' }), of('money', { currency: 'EUR' }), 5],
  [of('decimal'), of('money', { currency: 'EUR' }), 5],
  [of('money', { currency: 'EUR' }), of('decimal'), 5],
  [of('secret'), of('text'), 'hush'],
  [of('text'), of('secret'), 'long enough'],
]
const closed: readonly [Field, Field, unknown][] = [
  [of('json'), of('file'), file],
  [of('file'), of('json'), file],
]
const alike: readonly [Field, Field, unknown][] = [
  [of('percent'), of('quantity', { unit: '%', digits: 1 }), 50],
  [of('integer'), of('decimal'), 5],
  [of('text'), of('longText'), 'abc'],
  [of('email'), of('text'), 'a@b.example'],
  [of('status', { states: { A: { tone: 'idle', label } } }), of('enum', { options: ['A'] }), 'A'],
]
const named = (pairs: readonly [Field, Field, unknown][]) =>
  pairs.map(([before, now, value]) => ({ from: before.type, to: now.type, before, now, value }))

describe.each(engines)('a start by a type that reads values otherwise on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })
  const fill = (value: unknown) =>
    table.fill('visit', [
      { id: 'a', value, unit: 'kg', place: { value, unit: 'kg' } },
      { id: 'b', value: null, place: null },
    ] as Raw[])

  it.each(named(misread))('is refused from $from to $to, unless the definition says that it is meant', async (pair) => {
    const { from, to, before, now, value } = pair
    await table.start(record(before))
    await fill(value)
    const refused = (await table.refusalOf(record(now))).toSorted((a, b) => String(b.field).localeCompare(String(a.field)))
    const shown = [from, to].includes('secret') ? '•••' : value
    const about = { kind: 'meaning', rows: 1, stored: from, defined: to, examples: [{ id: 'a', value: shown }] }
    expect(refused).toMatchObject([
      { ...about, field: 'value' },
      { ...about, field: 'place.value' },
    ])
    await expect(table.start(record(now))).rejects.toThrow(`say \`convert: { from: '${from}' }\` at the field`)
    const meant = { ...now, convert: { from } } as Field
    expect(await table.refusalOf(record(meant))).toEqual([])
    expect(await table.rows('"value", "place"')).toMatchObject([{ value, place: { value } }, { value: null }])
    expect((await table.plan(record(meant))).steps).toEqual([])
  })

  it.each(named(closed))('is refused from $from to $to, which nothing converts', async ({ before, now, value, from, to }) => {
    await table.start(visit({ value: before }))
    await table.fill('visit', [{ id: 'a', value }])
    expect(await table.refusalOf(visit({ value: now }))).toMatchObject([
      { kind: 'meaning', stored: from, defined: to, rows: 1 },
    ])
    const { obstacles } = await table.plan(visit({ value: now }))
    expect(obstacles).toHaveLength(1)
    await expect(table.start(visit({ value: now }))).rejects.toThrow('To do: take a new field')
  })

  it.each(named(alike))('goes on from $from to $to, which mean the same', async ({ before, now, value }) => {
    await table.start(record(before))
    await fill(value)
    expect(await table.refusalOf(record(now))).toEqual([])
  })

  it('goes on where no row has a value', async () => {
    await table.start(record(of('percent')))
    await fill(null)
    expect(await table.refusalOf(record(of('quantity', { unit: 'W' })))).toEqual([])
  })

  it('is refused where choices exchange their labels, unless the labels were wrong', async () => {
    const both = (one: string, two: string, facts?: object) => {
      const labelled = { options: { A: [one, 'А'], B: [two, 'Б'] }, ...facts }
      const wrong = Object.values(Object(Reflect.get(facts ?? {}, 'labelsWere')))
      const numbered = wrong.length > 0 ? { labelsWere: { 1: wrong[0], 2: wrong[1] } } : {}
      const fields: Fields = { shifts: shifts(one, two, numbered), kind: kinds(labelled), marks: of('tags', labelled) }
      return visit({ ...fields, place: of('group', { fields }) })
    }
    await table.start(both('One', 'Two'))
    const value = { shifts: 1, kind: 'A', marks: ['B'] }
    await table.fill('visit', [{ id: 'a', ...value, place: value }, { id: 'b' }] as Raw[])
    const refused = await table.refusalOf(both('Two', 'One'))
    expect(refused.map(({ field }) => field).toSorted()).toEqual(
      ['kind', 'marks', 'place.kind', 'place.marks', 'place.shifts', 'shifts'].toSorted(),
    )
    expect(refused.find(({ field }) => field === 'shifts')).toMatchObject({
      kind: 'label',
      rows: 1,
      stored: '1 "One", 2 "Two"',
      defined: '1 "Two", 2 "One"',
      examples: [{ id: 'a', value: 1 }],
    })
    await expect(table.start(both('Two', 'One'))).rejects.toThrow(`\`labelsWere: { 1: "One", 2: "Two" }\``)
    expect(await table.refusalOf(both('Single', 'Double'))).toEqual([])
    await table.start(both('One', 'Two'))
    expect(await table.refusalOf(both('Two', 'One', { labelsWere: { A: 'One', B: ['x', 'Two'] } }))).toEqual([])
  })

  it('goes on where a renamed choice keeps its label', async () => {
    await table.start(visit({ kind: kinds({ options: { A: ['One', 'А'], B: ['Two', 'Б'] } }) }))
    await table.fill('visit', [{ id: 'a', kind: 'A' }])
    const next = (labels: object, facts: object) => visit({ kind: kinds({ options: labels, ...facts }) })
    const renamed = { choicesWere: { C: 'A' } }
    const { obstacles } = await table.plan(next({ C: ['One', 'А'], B: ['Two', 'Б'] }, renamed))
    expect(obstacles).toEqual([])
    const exchanged = await table.plan(next({ C: ['Two', 'А'], B: ['One', 'Б'] }, renamed))
    expect(exchanged.obstacles).toMatchObject([{ kind: 'label', field: 'kind', rows: 1 }])
  })

  it('never shows the value of a secret that is lost', async () => {
    const secrets = { name: unit, key: of('secret'), place: of('group', { fields: { unit, key: of('secret') } }) }
    await table.start(visit(secrets))
    await table.fill('visit', [{ id: 'a', name: 'n', key: 'hush', place: { unit: 'kg', key: 'hush' } }])
    const next = visit({ name: unit, place: of('group', { fields: { unit } }) })
    expect((await table.refusalOf(next)).map(({ kind, field }) => `${kind} ${field}`).toSorted()).toEqual([
      'lost key',
      'lost place.key',
    ])
    await expect(table.start(next)).rejects.not.toThrow('hush')
    expect(JSON.stringify((await table.plan(next)).obstacles)).not.toContain('hush')
  })
})
