import { beforeEach, describe, expect, it } from 'vitest'
import { ChangingTable, changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'

const text = { type: 'text', label } as const
const count = { type: 'integer', label } as const
const when = { field: 'name', op: 'eq', value: 'full' } as const

describe.each(engines)('a start by changed definitions on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: ChangingTable
  beforeEach(() => {
    table = new ChangingTable(database())
  })

  const columns = async () =>
    Object.fromEntries(
      (
        await table.run(`select column_name as "n", udt_name as "t" from information_schema.columns where table_name = 'visit'`)
      ).map(({ n, t }) => [n, t]),
    )

  it('is refused where a column of another type holds values, and changes nothing', async () => {
    await table.start(visit({ dueAt: { type: 'date', label } }))
    await table.fill('visit', [
      { id: 'a', dueAt: '2028-05-05' },
      { id: 'b', dueAt: null },
    ])
    const retyped = visit({ dueAt: { type: 'dateTime', label }, name: text })
    expect(await table.refusalOf(retyped)).toEqual([
      {
        kind: 'type',
        resource: 'visit',
        field: 'dueAt',
        stored: 'date',
        defined: 'dateTime',
        rows: 1,
        examples: [{ id: 'a', value: '2028-05-05' }],
      },
    ])
    expect(await columns()).toMatchObject({ dueAt: 'date' })
    expect(await columns()).not.toHaveProperty('name')
    await expect(table.start(retyped)).rejects.toThrow('visit.dueAt: 1 value is kept as date, the definition says dateTime')
  })

  it('gives an empty column its new type without a word, with its choices and its uniqueness', async () => {
    await table.start(visit({ code: count, dueAt: { type: 'date', label } }))
    await table.fill('visit', [{ id: 'a', code: null }])
    const next = visit({ code: { ...text, unique: true }, dueAt: { type: 'enum', label, options: ['SOON'] } })
    expect(await table.refusalOf(next)).toEqual([])
    expect(await columns()).toMatchObject({ code: 'text', dueAt: 'text' })
    await table.fill('visit', [{ id: 'b', code: 'x', dueAt: 'SOON' }])
    await expect(table.fill('visit', [{ id: 'c', code: 'x' }])).rejects.toThrow('visit_code_key')
    await expect(table.fill('visit', [{ id: 'c', dueAt: 'LATE' }])).rejects.toThrow('visit_dueAt_choices')
    expect((await table.start(next)).applied).toEqual([])
  })

  it('is refused where rows hold a choice that the definition dropped', async () => {
    const kinds = (...options: string[]) => visit({ kind: { type: 'enum', label, options } })
    await table.start(kinds('A', 'B', 'C'))
    await table.fill(
      'visit',
      ['A', 'B', 'B'].map((kind, index) => ({ id: `v${index}`, kind })),
    )
    expect(await table.refusalOf(kinds('A', 'C'))).toMatchObject([
      {
        kind: 'choice',
        field: 'kind',
        rows: 2,
        examples: [
          { id: 'v1', value: 'B' },
          { id: 'v2', value: 'B' },
        ],
      },
    ])
    expect(await table.refusalOf(kinds('A', 'B'))).toEqual([])
    await expect(table.fill('visit', [{ id: 'z', kind: 'C' }])).rejects.toThrow('visit_kind_choices')
    expect(await table.refusalOf(visit({ kind: text }))).toEqual([])
    await table.fill('visit', [{ id: 'z', kind: 'anything' }])
  })

  it('is refused where a number or a tag is no option any more', async () => {
    const marked = (options: string[], delays: Record<number, readonly [string, string]>) =>
      visit({ marks: { type: 'tags', label, options }, delayMin: { ...count, options: delays } })
    await table.start(marked(['HOT', 'COLD'], { 0: label, 15: label }))
    await table.fill('visit', [
      { id: 'a', marks: ['HOT', 'COLD'], delayMin: 15 },
      { id: 'b', marks: ['COLD'], delayMin: 0 },
    ])
    expect(await table.refusalOf(marked(['COLD'], { 0: label }))).toMatchObject([
      { kind: 'value', field: 'marks', rows: 1, examples: [{ id: 'a' }] },
      { kind: 'value', field: 'delayMin', rows: 1, examples: [{ id: 'a', value: 15 }] },
    ])
  })

  it('is refused where another type in the same column does not take the values', async () => {
    await table.start(visit({ extra: { type: 'json', label }, mail: text }))
    await table.fill('visit', [
      { id: 'a', extra: { any: 1 }, mail: 'nobody' },
      { id: 'b', extra: ['x'], mail: 'a@b.example' },
    ])
    const next = visit({ extra: { type: 'tags', label }, mail: { type: 'email', label } })
    expect(await table.refusalOf(next)).toMatchObject([
      { kind: 'value', field: 'extra', stored: 'json', defined: 'tags', rows: 1, examples: [{ id: 'a', value: { any: 1 } }] },
      { kind: 'value', field: 'mail', rows: 1, examples: [{ id: 'a', value: 'nobody' }] },
    ])
  })

  it('is refused where a unique field has duplicates, and names them', async () => {
    await table.start(visit({ code: text }))
    await table.fill(
      'visit',
      ['x', 'y', 'x', 'x', null, null].map((code, index) => ({ id: `v${index}`, code })),
    )
    const unique = visit({ code: { ...text, unique: true } })
    expect(await table.refusalOf(unique)).toMatchObject([
      { kind: 'unique', rows: 3, examples: ['v0', 'v2', 'v3'].map((id) => ({ id, value: 'x' })) },
    ])
    await table.run(`update "visit" set "code" = "id" where "code" = 'x'`)
    expect(await table.refusalOf(unique)).toEqual([])
    await expect(table.fill('visit', [{ id: 'z', code: 'y' }])).rejects.toThrow('visit_code_key')
    expect(await table.refusalOf(visit({ code: text }))).toEqual([])
    await table.fill('visit', [{ id: 'z', code: 'y' }])
  })

  it('is refused where a required field is empty, as far as its condition holds', async () => {
    await table.start(visit({ name: text, note: text }))
    await table.fill('visit', [
      { id: 'a', name: 'full', note: null },
      { id: 'b', name: 'short', note: null },
    ])
    const strict = visit({ name: text, note: { ...text, required: true, when } })
    expect(await table.refusalOf(strict)).toMatchObject([
      { kind: 'required', field: 'note', rows: 1, examples: [{ id: 'a', value: null }] },
    ])
    await table.run(`update "visit" set "note" = 'n' where "id" = 'a'`)
    expect(await table.refusalOf(strict)).toEqual([])
    const isNew = (facts: object) =>
      visit({ name: text, note: { ...text, required: true, when }, size: { ...count, required: true, ...facts } })
    expect(await table.refusalOf(isNew({}))).toMatchObject([{ kind: 'required', field: 'size', rows: 2 }])
    expect(await table.refusalOf(isNew({ default: 3 }))).toEqual([])
    expect(await table.run(`select "size" from "visit"`)).toEqual([{ size: 3 }, { size: 3 }])
  })

  it('is refused where a part asks its own rows for a value, and only for theirs', async () => {
    const role = { type: 'enum', label, options: ['ADMIN', 'CLIENT'] } as const
    const part = (fields: object) =>
      visit({ role, ...fields }, { name: 'client-visit', subset: { of: 'visit', where: { role: 'CLIENT' } } })
    await table.start(visit({ role }), part({ note: text }))
    await table.fill('visit', [
      { id: 'a', role: 'ADMIN' },
      { id: 'b', role: 'CLIENT' },
    ])
    expect(await table.refusalOf(visit({ role }), part({ note: { ...text, required: true } }))).toMatchObject([
      { kind: 'required', resource: 'client-visit', field: 'note', rows: 1, examples: [{ id: 'b' }] },
    ])
  })

  it('is refused where a field with values is gone, and keeps an empty one', async () => {
    await table.start(visit({ name: text, old: text, blank: text }))
    await table.fill(
      'visit',
      Array.from({ length: 12 }, (_, index) => ({ id: `v${10 + index}`, old: `value ${index}` })),
    )
    const [lost, ...others] = await table.refusalOf(visit({ name: text }))
    expect(others).toEqual([])
    expect(lost).toMatchObject({ kind: 'lost', resource: 'visit', field: 'old', rows: 12 })
    expect(lost?.examples).toHaveLength(10)
    const { drift } = await table.start(visit({ name: text, old: text }))
    expect(drift).toEqual(['visit.blank is in the database only'])
  })

  it('names all that it is refused for at once', async () => {
    await table.start(visit({ code: text, old: text }))
    await table.fill('visit', [
      { id: 'a', code: 'x', old: 'o' },
      { id: 'b', code: 'x', old: null },
    ])
    await expect(table.start(visit({ code: { ...text, unique: true } }))).rejects.toThrow(
      /visit\.code: 2 rows hold a value that another one holds[\s\S]*a: "x"; b: "x"[\s\S]*visit\.old: 1 value is in the database/,
    )
  })
})
