import { beforeEach, describe, expect, it } from 'vitest'
import { planText } from '#server/engine/changes/plan-text.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const record = (facts: { name?: object; size?: object; cost?: object; marks?: object; code?: object; part?: object }) =>
  visit({
    name: { ...text, maxLength: 60, ...facts.name },
    size: { type: 'integer', label, ...facts.size },
    cost: { type: 'decimal', label, ...facts.cost },
    marks: { type: 'tags', label, ...facts.marks },
    code: { ...text, ...facts.code },
    parts: { type: 'list', label, fields: { note: { ...text, ...facts.part } } },
  })

describe.each(engines)('a plan of narrower facts on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(record({}))
    const full = { size: 7, cost: 1.25, marks: ['a', 'b'], code: 'x-1', parts: [{ note: 'long' }, { note: 'longer' }] }
    await table.fill('visit', [
      { id: 'w', name: 'n', ...full },
      ...Array.from({ length: 12 }, (_, index) => ({ id: `v${10 + index}`, name: 'n'.repeat(41) })),
    ])
  })

  it('counts the rows that are refused when next saved, names ten of them, and lets the start go on', async () => {
    const next = record({
      name: { maxLength: 40 },
      size: { min: 8, max: 9 },
      cost: { digits: 1, max: 1 },
      marks: { maxItems: 1 },
      code: { pattern: '^[a-z]+$' },
      part: { maxLength: 3 },
    })
    const plan = await table.plan(next)
    expect([plan.obstacles, plan.steps]).toEqual([[], []])
    const one = { rows: 1, resource: 'visit' }
    expect(plan.notes).toMatchObject([
      { resource: 'visit', field: 'name', what: 'hold more than 40 characters', rows: 12 },
      { ...one, field: 'size', what: 'hold less than 8', examples: [{ id: 'w', value: 7 }] },
      { ...one, field: 'cost', what: 'hold more than 1' },
      { ...one, field: 'cost', what: 'hold more than 1 digits behind the point' },
      { ...one, field: 'marks', what: 'hold more than 1 of them' },
      { ...one, field: 'code', what: 'hold what does not match ^[a-z]+$' },
      { ...one, field: 'parts.note', what: 'hold more than 3 characters', examples: [{ id: 'w', value: 'long' }] },
    ])
    expect(plan.notes[0]?.examples).toHaveLength(10)
    expect(planText(plan)).toContain(
      '  visit.name: 12 rows hold more than 40 characters; they stay and are refused when next saved\n    v10: "nnn',
    )
    expect(planText(plan)).not.toContain('fits the definitions')
    await table.start(next)
    expect((await table.plan(next)).notes).toEqual([])
  })

  it('says nothing of facts that are wider, or that every row keeps to', async () => {
    const { notes } = await table.plan(
      record({ name: { maxLength: 50 }, size: { max: 7 }, code: { pattern: '^[a-z]-.$' }, cost: { digits: 2 } }),
    )
    expect(notes).toEqual([])
    expect((await table.plan(record({ name: { maxLength: 90 } }))).notes).toEqual([])
  })

  it('counts the rows in which a step makes a value required that they do not have', async () => {
    const kind = { type: 'enum', label } as const
    const reason = { ...text, required: { field: 'kind', op: 'eq', value: 'BAD' } } as const
    await table.run('drop table "visit"')
    await table.start(visit({ kind: { ...kind, options: ['ODD', 'GOOD', 'BAD'] }, reason }))
    await table.fill('visit', [
      { id: 'a', kind: 'ODD', reason: null },
      { id: 'b', kind: 'ODD', reason: 'why' },
      { id: 'c', kind: 'GOOD', reason: null },
      { id: 'd', kind: 'BAD', reason: null },
    ])
    const next = visit({ kind: { ...kind, options: ['GOOD', 'BAD'], choicesGone: { ODD: 'BAD' } }, reason })
    const plan = await table.plan(next)
    expect(plan.steps).toMatchObject([{ kind: 'choices', rows: 2 }])
    expect(plan.notes).toMatchObject([
      { field: 'reason', what: 'have no value where one is required now', rows: 1, examples: [{ id: 'a', value: null }] },
    ])
    await table.apply([next])
    await table.start(next)
  })
})
