import { beforeEach, describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { planText } from '#server/engine/changes/plan-text.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field
const level = of('enum', { options: ['FULL', 'BASIC'] })
const file = (name: string, sizeBytes = 10) => ({ id: name, name, type: 'x', sizeBytes, sha256: 's' })

describe.each(engines)('a plan of new conditions on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })

  it('counts the values that a new `when` hides, which stay', async () => {
    await table.start(visit({ level, note: of('text'), marks: of('tags') }))
    await table.fill('visit', [
      { id: 'a', level: 'BASIC', note: 'kept', marks: [] },
      { id: 'b', level: 'FULL', note: 'seen', marks: ['x'] },
      { id: 'c', level: null, note: null, marks: null },
    ])
    const when = { field: 'level', op: 'eq', value: 'FULL' } as const
    const next = visit({ level, note: of('text', { when }), marks: of('tags', { when }) })
    const plan = await table.plan(next)
    expect([plan.obstacles, plan.steps]).toEqual([[], []])
    const what = 'hold a value where `when` does not hold'
    expect(plan.notes).toEqual([
      { kind: 'when', resource: 'visit', field: 'note', what, rows: 1, examples: [{ id: 'a', value: 'kept' }] },
    ])
    expect(planText(plan)).toContain('visit.note: 1 row holds a value where')
    expect(planText(plan)).toContain('it stays, and the console does not show it until the condition holds')
    await table.start(next)
    expect((await table.plan(next)).notes).toEqual([])
    expect(await table.rows('"note"')).toEqual([{ note: 'kept' }, { note: 'seen' }, { note: null }])
  })

  it('counts secrets that are stored where their `when` does not hold, until they are removed', async () => {
    const when = { field: 'level', op: 'eq', value: 'FULL' } as const
    const one = visit({ level, pin: of('secret', { when }), note: of('text', { when }) })
    await table.start(one)
    await table.fill('visit', [
      { id: 'a', level: 'BASIC', pin: 'left', note: 'left' },
      { id: 'b', level: 'FULL', pin: 'held', note: 'held' },
    ])
    const plan = await table.plan(one)
    expect(plan.notes).toMatchObject([{ resource: 'visit', field: 'pin', rows: 1, examples: [{ id: 'a', value: '•••' }] }])
    expect(planText(plan).split('\n').slice(0, 3)).toEqual([
      'There is nothing to apply.',
      '',
      'Secrets that outlived their condition:',
    ])
    expect(planText(plan)).toContain('it stays until a PUT with null removes it')
    expect([plan.obstacles, plan.steps]).toEqual([[], []])
    await table.run(`update "visit" set "pin" = null where "id" = 'a'`)
    expect((await table.plan(one)).notes).toEqual([])
  })

  it('counts the rows that a new rule refuses, by the values that its other steps leave', async () => {
    const rule = { field: 'fee', op: 'gt', value: 500 } as const
    const message = ['More than 500', 'Больше 500'] as const
    await table.start(visit({ fee: of('integer'), level, kind: of('text') }))
    await table.fill('visit', [
      { id: 'a', fee: 100, level: 'BASIC', kind: 'x' },
      { id: 'b', fee: 501, level: 'FULL', kind: 'x' },
    ])
    const renamed = { sort: of('text', { was: 'kind' }), fee: of('integer'), level }
    const still = { rule: { field: 'level', op: 'eq', value: 'FULL' }, at: 'level', message } as const
    const next = visit(renamed, { rules: [{ rule, at: 'fee', message }, still] })
    const { notes } = await table.plan(next)
    expect(notes).toMatchObject([
      { field: 'fee', what: 'break the rule "More than 500"', rows: 1, examples: [{ id: 'a', value: 100 }] },
      { field: 'level', rows: 1, examples: [{ id: 'a', value: 'BASIC' }] },
    ])
    await table.apply([next])
    await table.start(next)
    const fields = { sort: renamed.sort, level, price: of('integer', { was: 'fee' }) }
    const again = visit(fields, { rules: [{ rule: { ...rule, field: 'price' }, at: 'price', message: label }, still] })
    expect((await table.plan(again)).notes).toEqual([])
  })

  it('judges no row by a rule about the caller, or about what is not stored', async () => {
    await table.start(visit({ owner: of('text'), late: of('boolean', { derived: true }) }))
    await table.fill('visit', [{ id: 'a', owner: 'b' }])
    const rules = [
      { rule: { field: 'owner', op: 'eq', value: '$user.id' }, at: 'owner', message: label },
      { rule: { field: 'late', op: 'eq', value: true }, at: 'owner', message: label },
    ] as const
    expect((await table.plan(visit({ owner: of('text'), late: of('boolean', { derived: true }) }, { rules }))).notes).toEqual(
      [],
    )
  })

  it('counts the rows whose files are of a kind or size that is not taken any more, in parts too', async () => {
    const parts = (facts: object) => of('list', { fields: { scan: of('file', facts) } })
    const record = (facts: object) => visit({ paper: of('file', facts), papers: of('files', facts), rows: parts(facts) })
    await table.start(record({ accept: '.pdf,.txt' }))
    await table.fill('visit', [
      { id: 'a', paper: file('a.txt'), papers: [file('b.pdf'), file('c.TXT')], rows: [{ scan: file('d.txt') }] },
      { id: 'b', paper: file('a.PDF'), papers: [file('b.pdf', 9_000)], rows: null },
      { id: 'c', paper: null, papers: [], rows: [] },
    ])
    const plan = await table.plan(record({ accept: '.pdf', maxBytes: 5_000 }))
    expect(plan.notes.map(({ field, what, rows }) => [field, what, rows])).toEqual([
      ['paper', 'hold a file that is none of .pdf', 1],
      ['papers', 'hold a file that is none of .pdf', 1],
      ['rows.scan', 'hold a file that is none of .pdf', 1],
      ['papers', 'hold a file of more than 5000 bytes', 1],
    ])
    expect(planText(plan)).toContain('it stays, and no other like it is taken')
    expect((await table.plan(record({ accept: '.txt,.pdf' }))).notes).toEqual([])
  })
})
