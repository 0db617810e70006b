import { describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field

describe.each(engines)('a tree that was none on $name', (engine) => {
  const database = changingDatabase(engine)
  it('is refused where records are above themselves, and names them', async () => {
    const table = new PlannedTable(database())
    const record = (facts: object) => visit({ name: of('text'), parentId: of('reference', { to: 'visit', ...facts }) })
    await table.start(record({ circular: true }))
    const rows = { a: 'b', b: 'c', c: 'b', d: 'd', e: 'a', f: null, g: 'f' }
    await table.fill(
      'visit',
      Object.entries(rows).map(([id, parentId]) => ({ id, name: id.toUpperCase(), parentId })),
    )
    expect(await table.refusalOf(record({}))).toMatchObject([
      {
        kind: 'circle',
        field: 'parentId',
        rows: 3,
        examples: [
          { id: 'b', value: 'c', title: 'B' },
          { id: 'c', value: 'b', title: 'C' },
          { id: 'd', value: 'd' },
        ],
      },
    ])
    await expect(table.start(record({}))).rejects.toThrow(
      'visit.parentId: 3 rows are above themselves, the definition says a tree',
    )
    await table.run(`update "visit" set "parentId" = null where "id" in ('c', 'd')`)
    expect(await table.refusalOf(record({}))).toEqual([])
    expect((await table.plan(record({}))).obstacles).toEqual([])
  })
})
