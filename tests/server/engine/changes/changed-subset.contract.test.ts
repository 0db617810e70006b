import { beforeEach, describe, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { planText } from '#server/engine/changes/plan-text.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const kind = (options: readonly string[], more: object = {}) => ({ type: 'enum', label, options, ...more }) as const
const whole = (fields = { kind: kind(['FIX', 'CHECK', 'SALE']), note: text }) => visit(fields, { access: { list: ['admin'] } })
const part = (where: Record<string, string>): AnyResource => ({
  ...visit({ note: text }, { access: { list: ['admin', 'moderator'] } }),
  name: 'job',
  subset: { of: 'visit', where },
})

describe.each(engines)('a part of a resource under another condition on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(whole(), part({ kind: 'FIX' }))
    await table.fill('visit', [
      { id: 'a', kind: 'FIX', note: 'x' },
      { id: 'b', kind: 'CHECK', note: 'x' },
      { id: 'c', kind: 'CHECK', note: 'y' },
      { id: 'd', kind: null, note: 'x' },
    ])
  })
  const told = async (...resources: AnyResource[]) => (await table.plan(...resources)).access

  it('is told to each role that sees it, with the rows that come and go', async () => {
    const rows = { more: 2, less: 1 }
    const about = { resource: 'job', right: 'rows of the subset', is: 'other', rows }
    expect(await told(whole(), part({ kind: 'CHECK' }))).toEqual([
      { ...about, role: 'admin' },
      { ...about, role: 'moderator' },
    ])
    expect(planText(await table.plan(whole(), part({ kind: 'CHECK' })))).toContain(
      '  ~ admin, moderator: job: rows of the subset (2 rows come, 1 row goes)',
    )
  })

  it('is more or less where rows only come or only go', async () => {
    expect(await told(whole(), part({ kind: 'FIX', note: 'y' }))).toMatchObject([
      { is: 'less', rows: { more: 0, less: 1 } },
      {},
    ])
    expect(await told(whole(), part({}))).toMatchObject([{ is: 'more', rows: { more: 3, less: 0 } }, {}])
  })

  it('is told of references to rows that go, and leaves them as they are', async () => {
    const group = { type: 'group', label, fields: { jobId: { type: 'reference', label, to: 'job' } } } as const
    const bill = {
      ...visit({ jobId: { type: 'reference', label, to: 'job' }, jobIds: { type: 'references', label, to: 'job' }, group }),
      name: 'bill',
    }
    await table.start(whole(), part({ kind: 'FIX' }), bill)
    await table.fill('bill', [
      { id: 'p', jobId: 'a', jobIds: ['a', 'b'], group: { jobId: 'a' } },
      { id: 'q', jobId: 'b', jobIds: ['b'], group: { jobId: null } },
      { id: 'r' },
    ])
    const { notes, obstacles } = await table.plan(whole(), part({ kind: 'CHECK' }), bill)
    expect(obstacles).toEqual([])
    expect(notes.map(({ field, rows, examples }) => [field, rows, examples[0]?.value])).toEqual([
      ['jobId', 1, 'a'],
      ['jobIds', 1, ['a', 'b']],
      ['group.jobId', 1, 'a'],
    ])
    expect(planText(await table.plan(whole(), part({ kind: 'CHECK' }), bill))).toContain(
      '  bill.jobId: 1 row names a record that is no job then; it stays until a person chooses another one',
    )
    expect((await table.plan(whole(), part({ kind: 'FIX' }), bill)).notes).toEqual([])
  })

  it('is the same where its choice and its field are only called otherwise', async () => {
    const renamed = { sort: kind(['MEND', 'CHECK', 'SALE'], { was: 'kind', choicesWere: { MEND: 'FIX' } }), note: text }
    expect(await told(whole(renamed as never), part({ sort: 'MEND' }))).toEqual([])
    expect(await told(whole(), part({ kind: 'FIX' }))).toEqual([])
  })
})
