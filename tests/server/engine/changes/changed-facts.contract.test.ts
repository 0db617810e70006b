import { beforeEach, describe, expect, it } from 'vitest'
import { ChangingTable, changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'

const text = { type: 'text', label } as const
const fields = { code: text, name: text }

describe.each(engines)('a start by changed facts of fields on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: ChangingTable
  beforeEach(() => {
    table = new ChangingTable(database())
  })

  it('is refused where fields are the same together, names the rows, and is free again without the set', async () => {
    await table.start(visit(fields))
    await table.fill('visit', [
      { id: 'a', code: 'x', name: 'n' },
      { id: 'b', code: 'x', name: 'n' },
      { id: 'c', code: 'x', name: 'm' },
      { id: 'd', code: 'x', name: null },
      { id: 'e', code: 'x', name: null },
    ])
    const unique = visit(fields, { unique: [['code', 'name']] })
    expect(await table.refusalOf(unique)).toMatchObject([
      { kind: 'unique', field: 'code + name', rows: 2, examples: [{ id: 'a' }, { id: 'b' }] },
    ])
    await table.run(`update "visit" set "name" = 'k' where "id" = 'b'`)
    expect(await table.refusalOf(unique)).toEqual([])
    await expect(table.fill('visit', [{ id: 'f', code: 'x', name: 'k' }])).rejects.toThrow('visit_set_')
    expect(await table.refusalOf(visit(fields))).toEqual([])
    await table.fill('visit', [{ id: 'f', code: 'x', name: 'k' }])
  })

  it('is refused where a rule requires what is empty, and only for the rows in which it holds', async () => {
    await table.start(visit(fields))
    await table.fill('visit', [
      { id: 'a', code: 'full', name: null },
      { id: 'b', code: 'thin', name: null },
    ])
    const required = visit({ ...fields, name: { ...text, required: { field: 'code', op: 'eq', value: 'full' } } })
    expect(await table.refusalOf(required)).toMatchObject([
      { kind: 'required', field: 'name', rows: 1, examples: [{ id: 'a' }] },
    ])
  })

  it('is refused for a new required field whose default is worked out for new records only', async () => {
    await table.start(visit(fields))
    await table.fill('visit', [{ id: 'a', code: 'x' }])
    const next = (preset: string) => visit({ ...fields, title: { ...text, required: true, default: preset } })
    expect(await table.refusalOf(next('About {code}'))).toMatchObject([{ kind: 'required', field: 'title', rows: 1 }])
    expect(await table.refusalOf(next('About'))).toEqual([])
  })
})
