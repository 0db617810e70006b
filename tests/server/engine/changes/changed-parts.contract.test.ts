import { beforeEach, describe, expect, it } from 'vitest'
import type { Fields } from '#schema/field-types.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const count = { type: 'integer', label } as const
const group = (fields: Fields) => ({ type: 'group', label, fields }) as const
const list = (fields: Fields) => ({ type: 'list', label, fields }) as const
const kind = (...options: string[]) => ({ type: 'enum', label, options }) as const

const office = { room: text, pin: text, floor: text, kind: kind('SMALL', 'LARGE') }
const rows = [
  {
    id: 'a',
    office: { room: 'attic', pin: '1234', floor: '3', kind: 'SMALL' },
    parts: [{ code: 'x', size: '5' }, { code: 'y' }],
  },
  { id: 'b', office: { room: 'hall', floor: 'first', kind: 'LARGE' }, parts: [] },
  { id: 'c', office: null, parts: null },
]

describe.each(engines)('parts of a group or a list that change on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(visit({ office: group(office), parts: list({ code: text, size: text }) }))
    await table.fill('visit', rows)
  })

  it('refuse a start that would lose or misread what they hold, by their path', async () => {
    const next = visit({
      office: group({ room: text, floor: count, kind: kind('LARGE') }),
      parts: list({ code: { ...text, required: true }, size: { ...text, required: true }, note: text }),
    })
    const refusal = [
      {
        kind: 'value',
        field: 'office.floor',
        rows: 2,
        examples: [
          { id: 'a', value: '3' },
          { id: 'b', value: 'first' },
        ],
      },
      { kind: 'value', field: 'office.kind', rows: 1, examples: [{ id: 'a', value: 'SMALL' }] },
      { kind: 'lost', field: 'office.pin', rows: 1, examples: [{ id: 'a', value: '1234' }] },
      { kind: 'required', field: 'parts.size', rows: 1, examples: [{ id: 'a', value: null }] },
    ]
    expect(await table.refusalOf(next)).toEqual(refusal.map((obstacle) => expect.objectContaining(obstacle)))
    expect((await table.plan(next)).obstacles).toEqual(refusal.map((obstacle) => expect.objectContaining(obstacle)))
    expect(await table.rows('"id", "office", "parts"')).toEqual(rows)
  })

  it('are renamed, converted, filled and archived by what the definition says of them', async () => {
    const next = visit(
      {
        office: group({
          place: { ...text, was: 'room' },
          floor: { ...count, convert: { from: 'text', values: { first: 1 } } },
          kind: { ...kind('TINY', 'LARGE'), choicesWere: { TINY: 'SMALL' } },
        }),
        parts: list({ code: text, size: { ...count, required: true, convert: { from: 'text' }, backfill: 1 } }),
      },
      { gone: ['office.pin'] },
    )
    expect(await table.change(next)).toEqual([
      { kind: 'rename', resource: 'visit', field: 'office.place', from: 'room', rows: 2 },
      { kind: 'convert', resource: 'visit', field: 'office.floor', from: 'text', to: 'integer', rows: 2 },
      { kind: 'choices', resource: 'visit', field: 'office.kind', rows: 1 },
      { kind: 'gone', resource: 'visit', field: 'office.pin', rows: 1 },
      { kind: 'convert', resource: 'visit', field: 'parts.size', from: 'text', to: 'integer', rows: 1 },
      { kind: 'backfill', resource: 'visit', field: 'parts.size', rows: 1 },
    ])
    expect(await table.rows('"id", "office", "parts"')).toEqual([
      {
        id: 'a',
        office: { place: 'attic', floor: 3, kind: 'TINY' },
        parts: [
          { code: 'x', size: 5 },
          { code: 'y', size: 1 },
        ],
      },
      { id: 'b', office: { place: 'hall', floor: 1, kind: 'LARGE' }, parts: [] },
      { id: 'c', office: null, parts: null },
    ])
    const archived = await table.archive()
    expect(archived).toContainEqual({ resource: 'visit', field: 'office', recordId: 'a', value: rows[0]?.office })
    expect(archived).toContainEqual({ resource: 'visit', field: 'parts', recordId: 'a', value: rows[0]?.parts })
  })

  it('name the rows whose values can not be read, and change nothing', async () => {
    const next = visit({
      office: group({ ...office, floor: { ...count, convert: { from: 'text' } } }),
      parts: list({ code: text, size: text }),
    })
    const { obstacles } = await table.plan(next)
    expect(obstacles).toEqual([
      expect.objectContaining({ kind: 'convert', field: 'office.floor', rows: 1, examples: [{ id: 'b', value: 'first' }] }),
    ])
    expect(await table.rows('"id", "office", "parts"')).toEqual(rows)
  })

  it('of which only words change need no look at the rows', async () => {
    const other = { ...text, label: ['Room', 'Комната'] as const }
    const next = visit({ office: group({ ...office, room: other }), parts: list({ code: text, size: text }) })
    expect(await table.plan(next)).toMatchObject({ steps: [], obstacles: [] })
    expect((await table.start(next)).applied).toEqual([])
  })
})
