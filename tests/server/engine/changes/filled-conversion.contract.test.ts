import { beforeEach, describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { changingDatabase, label, type Raw, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const filled: Field = { type: 'integer', label, required: true, convert: { from: 'text' }, backfill: 7 }

describe.each(engines)('a field that is converted and filled at once on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })
  const kinds = (steps: readonly { kind: string; rows: number }[]) => steps.map(({ kind, rows }) => [kind, rows])

  it('has a value in every row: the converted one, and the filling where it was empty', async () => {
    await table.start(visit({ size: text }))
    await table.fill('visit', [
      { id: 'a', size: null },
      { id: 'b', size: '1' },
    ])
    expect(kinds(await table.change(visit({ size: filled })))).toEqual([
      ['convert', 1],
      ['backfill', 1],
    ])
    expect(await table.rows('"id", "size"')).toEqual([
      { id: 'a', size: 7 },
      { id: 'b', size: 1 },
    ])
  })

  it('is filled where the conversion leaves nothing, also in a row after an empty one', async () => {
    await table.start(visit({ size: text }))
    await table.fill('visit', [
      { id: 'a', size: null },
      { id: 'b', size: 'many' },
    ])
    await table.change(visit({ size: { ...filled, convert: { from: 'text', otherwise: null } } }))
    expect(await table.rows('"id", "size"')).toEqual([
      { id: 'a', size: 7 },
      { id: 'b', size: 7 },
    ])
    expect(await table.archive()).toEqual([{ resource: 'visit', field: 'size', recordId: 'b', value: 'many' }])
  })

  it('is filled under its new name, with new choices beside it', async () => {
    const kind = { type: 'enum', label, options: ['A', 'B'] } as const
    await table.start(visit({ kind, amount: text }))
    const rows: Raw[] = [
      { id: 'a', kind: 'A', amount: '1' },
      { id: 'b', kind: 'B', amount: null },
    ]
    await table.fill('visit', rows)
    const next = visit({
      sort: { ...kind, was: 'kind', options: ['C', 'B'], choicesWere: { C: 'A' }, required: true },
      size: { ...filled, was: 'amount', unique: true },
    })
    await table.change(next)
    expect(await table.rows('"id", "sort", "size"')).toEqual([
      { id: 'a', sort: 'C', size: 1 },
      { id: 'b', sort: 'B', size: 7 },
    ])
  })

  it('keeps the filling in a column of the same type whose choice is emptied', async () => {
    const kind = { type: 'enum', label, options: ['A', 'B'] } as const
    await table.start(visit({ kind }))
    await table.fill('visit', [
      { id: 'a', kind: null },
      { id: 'b', kind: 'B' },
    ])
    await table.change(visit({ kind: { ...kind, options: ['A'], choicesGone: { B: null }, required: true, backfill: 'A' } }))
    expect(await table.rows('"id", "kind"')).toEqual([
      { id: 'a', kind: 'A' },
      { id: 'b', kind: 'A' },
    ])
  })
})
