import { beforeEach, describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { planText } from '#server/engine/changes/plan-text.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field

describe.each(engines)('a plan with `otherwise` on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })

  it('says how many values it takes, and which', async () => {
    await table.start(visit({ fee: of('text') }))
    const fees = ['1', '2,5', '3', '4', '1e3', '1 000', 'free', 'free', 'two']
    await table.fill(
      'visit',
      fees.map((fee, index) => ({ id: `v${index}`, fee })),
    )
    const next = visit({ fee: of('decimal', { convert: { from: 'text', values: { two: 2 }, otherwise: 0 } }) })
    const plan = await table.plan(next)
    expect(planText(plan)).toContain(
      [
        '  visit.fee: becomes decimal from text (9 rows, 4 of them by `otherwise`; the old values go to the archive)',
        '    "1" → 1',
        '    "2,5" → 2.5',
        '    "3" → 3',
        '    "1e3" → 0, by `otherwise`',
        '    "1 000" → 0, by `otherwise`',
        '    "free" → 0, by `otherwise`',
      ].join('\n'),
    )
    await table.apply([next])
    const [{ plan: record } = {}] = await table.run('select "plan" from "appliedPlan"')
    expect(Object(record).steps).toMatchObject([{ rows: 9, otherwise: 4 }])
    expect(JSON.stringify(record)).not.toContain('1e3')
  })

  it('says how many rows have such a value in a part', async () => {
    const rows = (part: Field) => visit({ rows: of('list', { fields: { fee: part } }) })
    await table.start(rows(of('text')))
    await table.fill('visit', [
      { id: 'a', rows: [{ fee: 'free' }, { fee: '1' }] },
      { id: 'b', rows: [{ fee: '2' }] },
    ])
    const next = rows(of('decimal', { convert: { from: 'text', otherwise: 0 } }))
    expect(planText(await table.plan(next))).toContain('rows.fee: becomes decimal from text (2 rows, 1 of them by `otherwise`;')
    expect(planText(await table.plan(rows(of('decimal', { convert: { from: 'text', values: { free: 0 } } }))))).toContain(
      'rows.fee: becomes decimal from text (2 rows, the old values go to the archive)',
    )
  })
})
