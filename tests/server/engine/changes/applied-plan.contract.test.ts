import { beforeEach, describe, expect, it } from 'vitest'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const count = { type: 'integer', label } as const

describe.each(engines)('a plan on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })

  it('of a renamed field takes values, uniqueness, choices and files over', async () => {
    const kind = { type: 'enum', label, options: ['A', 'B'] } as const
    const file = { type: 'file', label } as const
    const bossId = { type: 'reference', label, to: 'visit' } as const
    await table.start(visit({ code: { ...text, unique: true, search: true }, kind, photo: file, bossId }))
    const photo = { id: 'f1', name: 'a.png', sizeBytes: 1, sha256: 'x' }
    await table.fill('visit', [
      { id: 'a', code: 'x', kind: 'A', photo, bossId: 'b' },
      { id: 'b', code: null, kind: 'B' },
    ])
    await table.run(`insert into "storedFile" ("id", "owner", "field", "name", "type", "sizeBytes", "sha256", "content", "uploadedBy", "uploadedAt")
      values ('f1', 'visit', 'photo', 'a.png', 'image/png', 1, 'x', 'x', 'u1', now())`)
    const steps = await table.change(
      visit({
        number: { ...text, unique: true, search: true, was: 'code' },
        sort: { ...kind, was: ['kind'] },
        picture: { ...file, was: 'photo' },
        chiefId: { ...bossId, was: 'bossId' },
      }),
    )
    expect(steps).toEqual([
      { kind: 'rename', resource: 'visit', field: 'number', from: 'code', rows: 1 },
      { kind: 'rename', resource: 'visit', field: 'sort', from: 'kind', rows: 2 },
      { kind: 'rename', resource: 'visit', field: 'picture', from: 'photo', rows: 1 },
      { kind: 'rename', resource: 'visit', field: 'chiefId', from: 'bossId', rows: 1 },
    ])
    expect(await table.rows('"id", "number", "sort", "picture", "chiefId"')).toEqual([
      { id: 'a', number: 'x', sort: 'A', picture: photo, chiefId: 'b' },
      { id: 'b', number: null, sort: 'B', picture: null, chiefId: null },
    ])
    await expect(table.fill('visit', [{ id: 'c', number: 'x' }])).rejects.toThrow('visit_number_key')
    await expect(table.fill('visit', [{ id: 'c', sort: 'Z' }])).rejects.toThrow('visit_sort_choices')
    expect(await table.run(`select "field" from "storedFile"`)).toEqual([{ field: 'picture' }])
    const indexes = await table.run(`select indexname as "n" from pg_indexes where tablename = 'visit'`)
    expect(indexes.map(({ n }) => n).filter((name) => /code|bossId/.test(String(name)))).toEqual([])
    expect(await table.archive()).toEqual([])
  })

  it('of fields that change places has two steps', async () => {
    await table.start(visit({ one: text, two: text }))
    await table.fill('visit', [{ id: 'a', one: 'x', two: 'y' }])
    await table.change(visit({ a: { ...text, was: 'one' }, b: { ...text, was: 'two' } }))
    await table.change(visit({ two: { ...text, was: 'a' }, one: { ...text, was: 'b' } }))
    expect(await table.rows('"one", "two"')).toEqual([{ one: 'y', two: 'x' }])
  })

  it('of a renamed resource takes its table over', async () => {
    await table.start(visit({ code: { ...text, unique: true }, kind: { type: 'enum', label, options: ['A'] } }))
    await table.fill('visit', [{ id: 'a', code: 'x', kind: 'A' }])
    const trip = visit(
      { number: { ...text, unique: true, was: 'code' }, kind: { type: 'enum', label, options: ['A', 'B'] } },
      { name: 'site-trip', was: 'visit' },
    )
    const steps = await table.change(trip)
    expect(steps).toEqual([
      { kind: 'resource', resource: 'site-trip', from: 'visit', rows: 1 },
      { kind: 'rename', resource: 'site-trip', field: 'number', from: 'code', rows: 1 },
    ])
    expect(await table.run(`select "id", "number" from "site_trip"`)).toEqual([{ id: 'a', number: 'x' }])
    await expect(table.fill('site_trip', [{ id: 'b', number: 'x' }])).rejects.toThrow('site_trip_number_key')
    await table.fill('site_trip', [{ id: 'b', kind: 'B' }])
    expect(await table.run(`select "resource" from "appliedDefinition"`)).toEqual([{ resource: 'site-trip' }])
    expect((await table.plan(trip)).obstacles).toEqual([])
  })

  it('of a retyped field converts each value, and keeps the old ones', async () => {
    await table.start(
      visit({ dueAt: { type: 'date', label }, size: text, kind: text, boss: { type: 'reference', label, to: 'visit' } }),
    )
    const old = [
      { id: 'a', dueAt: '2028-05-05', size: ' 12 ', kind: 'repair', boss: 'b' },
      { id: 'b', dueAt: null, size: null, kind: 'other', boss: null },
    ]
    await table.fill('visit', old)
    const next = visit({
      dueAt: { type: 'dateTime', label, convert: { from: 'date' } },
      size: { ...count, unique: true, convert: { from: 'text' } },
      kind: {
        type: 'enum',
        label,
        options: ['FIX', 'REST'],
        convert: { from: 'text', values: { repair: 'FIX' }, otherwise: 'REST' },
      },
      boss: { type: 'references', label, to: 'visit', convert: { from: 'reference' } },
    })
    expect(await table.change(next)).toMatchObject([
      { kind: 'convert', field: 'dueAt', from: 'date', to: 'dateTime', rows: 1 },
      { kind: 'convert', field: 'size', from: 'text', to: 'integer', rows: 1 },
      { kind: 'convert', field: 'kind', from: 'text', to: 'enum', rows: 2 },
      { kind: 'convert', field: 'boss', from: 'reference', to: 'references', rows: 1 },
    ])
    expect(await table.rows('"id", "dueAt", "size", "kind", "boss"')).toEqual([
      { id: 'a', dueAt: '2028-05-05T00:00:00.000Z', size: 12, kind: 'FIX', boss: ['b'] },
      { id: 'b', dueAt: null, size: null, kind: 'REST', boss: null },
    ])
    await expect(table.fill('visit', [{ id: 'c', size: 12 }])).rejects.toThrow('visit_size_key')
    await expect(table.fill('visit', [{ id: 'c', kind: 'repair' }])).rejects.toThrow('visit_kind_choices')
    const kept = (field: string, recordId: string, value: unknown) => ({ resource: 'visit', field, recordId, value })
    expect(await table.archive()).toEqual([
      kept('boss', 'a', 'b'),
      kept('dueAt', 'a', '2028-05-05'),
      kept('kind', 'a', 'repair'),
      kept('kind', 'b', 'other'),
      kept('size', 'a', ' 12 '),
    ])
  })

  it('names the values that can not be converted, and then changes nothing', async () => {
    await table.start(visit({ size: text }))
    await table.fill(
      'visit',
      Array.from({ length: 14 }, (_, index) => ({ id: `v${10 + index}`, size: index < 12 ? `about ${index}` : '7' })),
    )
    const next = visit({ size: { ...count, max: 6, convert: { from: 'text' } } })
    const { obstacles } = await table.plan(next)
    expect(obstacles).toMatchObject([{ kind: 'convert', field: 'size', stored: 'text', defined: 'integer', rows: 14 }])
    expect(obstacles[0]?.examples).toHaveLength(10)
    expect(obstacles[0]?.examples[0]).toEqual({ id: 'v10', value: 'about 0' })
    expect((await table.apply([next])).planId).toBeUndefined()
    expect((await table.rows('"size"'))[0]).toEqual({ size: 'about 0' })
    const kinder = visit({ size: { ...count, max: 7, convert: { from: 'text', values: { 'about 3': 3 }, otherwise: null } } })
    expect(await table.change(kinder)).toMatchObject([{ kind: 'convert', rows: 14 }])
    expect((await table.rows('"size"')).filter(({ size }) => size !== null)).toEqual([{ size: 3 }, { size: 7 }, { size: 7 }])
    expect(await table.archive()).toHaveLength(14)
  })

  it('of dropped and renamed choices puts the new ones in their place', async () => {
    const states = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { tone: 'idle', label } as const]))
    await table.start(
      visit({
        state: { type: 'status', label, states: states('OPEN', 'FIXING', 'ODD') },
        marks: { type: 'tags', label, options: ['HOT', 'COLD', 'WET'] },
      }),
    )
    await table.fill('visit', [
      { id: 'a', state: 'OPEN', marks: ['HOT', 'WET'] },
      { id: 'b', state: 'FIXING', marks: ['COLD', 'HOT'] },
      { id: 'c', state: 'ODD', marks: null },
    ])
    const next = visit({
      state: {
        type: 'status',
        label,
        states: states('OPEN', 'REPAIR'),
        choicesWere: { REPAIR: 'FIXING' },
        choicesGone: { ODD: 'OPEN' },
      },
      marks: { type: 'tags', label, options: ['WARM', 'WET'], choicesWere: { WARM: 'HOT' }, choicesGone: { COLD: null } },
    })
    expect(await table.change(next)).toMatchObject([
      {
        kind: 'choices',
        field: 'state',
        rows: 2,
        examples: expect.arrayContaining([
          { before: 'ODD', after: 'OPEN' },
          { before: 'FIXING', after: 'REPAIR' },
        ]),
      },
      { kind: 'choices', field: 'marks', rows: 2 },
    ])
    expect(await table.rows('"id", "state", "marks"')).toEqual([
      { id: 'a', state: 'OPEN', marks: ['WARM', 'WET'] },
      { id: 'b', state: 'REPAIR', marks: ['WARM'] },
      { id: 'c', state: 'OPEN', marks: null },
    ])
    await expect(table.fill('visit', [{ id: 'd', state: 'ODD' }])).rejects.toThrow('visit_state_choices')
    expect((await table.archive()).map(({ field, recordId, value }) => [field, recordId, value])).toEqual([
      ['marks', 'b', ['COLD', 'HOT']],
      ['state', 'c', 'ODD'],
    ])
  })

  it('of a newly required field fills what is empty, as far as it is asked for', async () => {
    await table.start(visit({ name: text, note: text, dueAt: { type: 'date', label } }))
    await table.fill('visit', [
      { id: 'a', name: 'n', note: null },
      { id: 'b', name: null, note: 'kept' },
    ])
    const next = visit({
      name: text,
      note: { ...text, required: true, backfill: '$record.name' },
      dueAt: { type: 'date', label, required: true, backfill: '$now' },
      size: { ...count, required: true, backfill: 4, when: { field: 'name', op: 'null', value: false } },
    })
    expect(await table.change(next)).toMatchObject([
      { kind: 'backfill', field: 'note', rows: 1 },
      { kind: 'backfill', field: 'dueAt', rows: 2 },
      { kind: 'backfill', field: 'size', rows: 1 },
    ])
    expect(await table.rows('"id", "note", "dueAt", "size"')).toEqual([
      { id: 'a', note: 'n', dueAt: '2027-03-01', size: 4 },
      { id: 'b', note: 'kept', dueAt: '2027-03-01', size: null },
    ])
  })

  it('that leaves a required field empty, or two alike, is none', async () => {
    await table.start(visit({ name: text, note: text, code: text }))
    await table.fill('visit', [
      { id: 'a', name: null, note: null, code: '1' },
      { id: 'b', name: 'x', note: null, code: '01' },
    ])
    const next = visit({
      name: text,
      note: { ...text, required: true, backfill: '$record.name' },
      code: { ...count, unique: true, convert: { from: 'text' } },
    })
    const { obstacles } = await table.plan(next)
    expect(obstacles.map(({ kind, field, rows: many }) => [kind, field, many])).toEqual([
      ['required', 'note', 1],
      ['unique', 'code', 2],
    ])
  })
})
