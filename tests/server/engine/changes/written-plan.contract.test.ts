import { beforeEach, describe, expect, it } from 'vitest'
import { changingDatabase, label, type Raw, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable, plannedAt } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const count = { type: 'integer', label } as const

describe.each(engines)('a plan that is written down on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })

  it('moves what may go to the archive, writes it down, and purges it by the next one', async () => {
    await table.start(visit({ name: text, old: text, size: count }))
    await table.fill('visit', [
      { id: 'a', name: 'n', old: 'o', size: 1 },
      { id: 'b', old: null, size: 2 },
    ])
    const next = visit({ name: text }, { gone: ['old', 'size'] })
    expect(await table.change(next)).toEqual([
      { kind: 'gone', resource: 'visit', field: 'old', rows: 1 },
      { kind: 'gone', resource: 'visit', field: 'size', rows: 2 },
    ])
    expect(await table.archive()).toHaveLength(3)
    const written = () =>
      table.run(`select "version", "rows", "at", "purgedAt", "plan"->'steps'->0->>'field' as "first" from "appliedPlan"`)
    expect(await written()).toEqual([{ version: '1.2.3', rows: 3, at: plannedAt, purgedAt: null, first: 'old' }])
    const { purged } = await table.purge([next], '2027-04-01T10:00:00.000Z')
    expect(purged).toBe(3)
    expect(await table.archive()).toEqual([])
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
    const { access, links, added } = await table.plan(after)
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
    await expect(table.apply([next])).rejects.toThrow('other objects depend on it')
    expect(await table.rows('"id", "old", "size"')).toEqual([{ id: 'a', old: 'o', size: '1' }])
    expect(await table.archive()).toEqual([])
    expect(await table.run('select 1 from "appliedPlan"')).toEqual([])
    const raw: Raw[] = await table.run(`select column_name as "n" from information_schema.columns where table_name = 'visit'`)
    expect(raw.map(({ n }) => n)).not.toContain('size__new')
  })
})
