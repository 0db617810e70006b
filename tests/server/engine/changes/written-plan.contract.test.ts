import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Database } from '#server/db/connect.ts'
import { applyPlan, makePlan, type Plan } from '#server/engine/changes/plan.ts'
import { ChangingTable, label, type Raw, visit } from '#tests/support/changing-table.ts'
import { engines, openMigrated } from '#tests/support/databases.ts'

const text = { type: 'text', label } as const
const count = { type: 'integer', label } as const
const now = '2027-03-01T10:00:00.000Z'
const wanted = (resources: readonly AnyResource[]) => ({ definitions: definitionsOf(resources), rules: {}, places: [], now })

describe.each(engines)('a plan that is written down on $name', (engine) => {
  const open: Database[] = []
  let table: ChangingTable
  beforeEach(async () => {
    const database = await openMigrated(engine)
    open.push(database)
    table = new ChangingTable(database)
  })
  afterAll(() => Promise.all(open.map((database) => database.close())))

  const plan = (...resources: AnyResource[]): Promise<Plan> => makePlan(table.database, wanted(resources))
  const apply = (resources: readonly AnyResource[], isPurging = false) =>
    applyPlan(table.database, wanted(resources), { version: '1.2.3', isPurging })
  const rows = (columns = '*') => table.run(`select ${columns} from "visit" order by "id"`)
  const archive = () =>
    table.run(`select "resource", "field", "recordId", "value" from "planArchive" order by "field", "recordId"`)
  /** Plans, is refused, applies and starts; a second plan has nothing left. */
  const change = async (next: AnyResource, others: AnyResource[] = []) => {
    const { steps, obstacles } = await plan(next, ...others)
    expect(obstacles).toEqual([])
    await expect(table.start(next, ...others)).rejects.toThrow('npm run plan -- --apply')
    const { planId } = await apply([next, ...others])
    expect(planId).toEqual(expect.any(String))
    expect((await plan(next, ...others)).steps).toEqual([])
    expect((await table.start(next, ...others)).applied).toEqual([])
    return steps
  }

  it('moves what may go to the archive, writes it down, and purges it by the next one', async () => {
    await table.start(visit({ name: text, old: text, size: count }))
    await table.fill('visit', [
      { id: 'a', name: 'n', old: 'o', size: 1 },
      { id: 'b', old: null, size: 2 },
    ])
    const next = visit({ name: text }, { gone: ['old', 'size'] })
    expect(await change(next)).toEqual([
      { kind: 'gone', resource: 'visit', field: 'old', rows: 1 },
      { kind: 'gone', resource: 'visit', field: 'size', rows: 2 },
    ])
    expect(await archive()).toHaveLength(3)
    const written = () =>
      table.run(`select "version", "rows", "at", "purgedAt", "plan"->'steps'->0->>'field' as "first" from "appliedPlan"`)
    expect(await written()).toEqual([{ version: '1.2.3', rows: 3, at: now, purgedAt: null, first: 'old' }])
    const { purged } = await applyPlan(
      table.database,
      { ...wanted([next]), now: '2027-04-01T10:00:00.000Z' },
      { version: '1.2.4', isPurging: true },
    )
    expect(purged).toBe(3)
    expect(await archive()).toEqual([])
    expect(await written()).toMatchObject([{ purgedAt: '2027-04-01T10:00:00.000Z' }])
  })

  it('says who sees more or less, which addresses change, and what a start adds by itself', async () => {
    const before = visit(
      { name: text, note: { ...text, access: { read: ['admin'] } } },
      { access: { list: ['admin'], edit: ['admin'] }, list: { views: { open: { label, filters: {} } } } },
    )
    await table.start(before)
    const after = visit(
      { title: { ...text, was: 'name' }, note: text, size: count },
      {
        access: { list: ['admin', 'installer'], edit: ['admin'] },
        route: 'visits',
        scope: { moderator: { field: 'title', op: 'eq', value: 'x' } },
      },
    )
    const { access, links, added } = await plan(after)
    const told = access.map(({ role, right, is }) => `${is} ${role} ${right}`)
    expect(told).toEqual(
      expect.arrayContaining([
        'more installer list',
        'more installer show',
        'more installer read note',
        'less moderator rows in sight',
      ]),
    )
    expect(told).toContain('more installer read title')
    expect(told.some((line) => line.includes('name') || line.includes('admin'))).toBe(false)
    expect(links.map(({ address, why }) => `${address} ${why}`)).toEqual(
      expect.arrayContaining(['/visit the pages are at /visits now', '/visit the view "open" is gone']),
    )
    expect(added).toEqual(['visit.size'])
  })

  it('leaves everything as it was when it breaks in the middle', async () => {
    await table.start(visit({ old: text, size: text }))
    await table.fill('visit', [{ id: 'a', old: 'o', size: '1' }])
    await table.run(`create view "reader" as select "old" from "visit"`)
    const next = visit({ size: { ...count, convert: { from: 'text' } } }, { gone: ['old'] })
    await expect(apply([next])).rejects.toThrow('other objects depend on it')
    expect(await rows('"id", "old", "size"')).toEqual([{ id: 'a', old: 'o', size: '1' }])
    expect(await archive()).toEqual([])
    expect(await table.run('select 1 from "appliedPlan"')).toEqual([])
    const raw: Raw[] = await table.run(`select column_name as "n" from information_schema.columns where table_name = 'visit'`)
    expect(raw.map(({ n }) => n)).not.toContain('size__new')
  })
})
