import { beforeEach, describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field
const kind = of('enum', { options: ['A', 'B', 'Z'] })
const renamed = of('enum', { options: ['C', 'B'], choicesWere: { C: 'A' }, choicesGone: { Z: 'B' } })
const list = (filters: object): Partial<AnyResource> => ({
  list: { filters: ['kind'], views: { open: { label, filters } } } as object,
})

describe.each(oneEngine('plans are computed from definitions'))('a plan tells on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })
  const told = async (before: AnyResource, now: AnyResource) => {
    await table.start(before)
    return table.plan(now)
  }
  const links = async (before: AnyResource, now: AnyResource) =>
    (await told(before, now)).links.map(({ address, why }) => `${address}: ${why}`)

  it('who reads a secret that becomes a text, and who no longer reads a text that becomes one', async () => {
    const access = { list: ['admin', 'client'] } as const
    const { access: more } = await told(
      visit({ name: of('text'), key: of('secret') }, { access }),
      visit({ name: of('text'), key: of('text', { convert: { from: 'secret' } }) }, { access }),
    )
    expect(more.map(({ role, right, is }) => `${is} ${role} ${right}`)).toEqual(['more admin read key', 'more client read key'])
    await table.start(visit({ name: of('text'), key: of('text') }, { access }))
    const { access: less } = await table.plan(visit({ name: of('text'), key: of('secret') }, { access }))
    expect(less.map(({ role, right, is }) => `${is} ${role} ${right}`)).toEqual(['less admin read key', 'less client read key'])
  })

  it('addresses by a choice that is called otherwise, or gone', async () => {
    const filters = { kind: 'B' }
    expect(
      await links(visit({ kind, sort: kind }, list(filters)), visit({ kind: renamed, sort: renamed }, list(filters))),
    ).toEqual([
      '/visit?kind=A: the choice is "C" now',
      '/visit?kind=Z: there is no such choice any more',
      '/api/visit?sort=A: the choice is "C" now',
      '/api/visit?sort=Z: there is no such choice any more',
    ])
  })

  it('addresses by a filter of another type', async () => {
    const before = visit({ kind: of('text') }, list({}))
    expect(await links(before, visit({ kind: of('integer', { convert: { from: 'text' } }) }, list({})))).toEqual([
      '/visit?kind=…: "kind" was a text and is an integer',
    ])
    expect(await links(before, visit({ kind: of('longText') }, list({})))).toEqual([])
  })

  it('fields and parts that travel under another name, or no more', async () => {
    const parts = (type: string, fields: object, facts: object = {}) => of(type, { fields, ...facts })
    const before = visit(
      {
        name: of('text'),
        kind,
        old: of('text'),
        place: parts('group', { row: of('text'), seat: of('text'), near: parts('group', { x: of('text') }) }),
        rows: parts('list', { note: of('text'), size: of('integer') }),
      },
      list({}),
    )
    const now = visit(
      {
        title: of('text', { was: 'name' }),
        sort: of('enum', { options: ['A', 'B', 'Z'], was: 'kind' }),
        spot: parts(
          'group',
          { line: of('text', { was: 'row' }), near: parts('group', { y: of('text', { was: 'x' }) }) },
          { was: 'place' },
        ),
        rows: parts('list', { remark: of('text', { was: 'note' }) }),
      },
      { list: { filters: ['sort'], views: { open: { label, filters: {} } } } as object, gone: ['old'] },
    )
    expect(await links(before, now)).toEqual([
      '/visit?kind=…: the filter is "sort" now',
      '/api/visit: "name" is "title" now',
      '/api/visit: "kind" is "sort" now',
      '/api/visit: "old" is gone from what travels',
      '/api/visit: "place" is "spot" now',
      '/api/visit: "place.row" is "spot.line" now',
      '/api/visit: "place.seat" is gone from what travels',
      '/api/visit: "place.near.x" is "spot.near.y" now',
      '/api/visit: "rows.note" is "rows.remark" now',
      '/api/visit: "rows.size" is gone from what travels',
    ])
  })

  it('no view that filters by a part under another name', async () => {
    const place = (part: string, facts: object = {}) => of('group', { fields: { [part]: of('text', facts) } })
    const viewed = (path: string): Partial<AnyResource> => ({
      list: { filters: [path], views: { open: { label, filters: { [path]: 'A' } } } } as object,
    })
    expect(
      await links(
        visit({ place: place('row') }, viewed('place.row')),
        visit({ place: place('line', { was: 'row' }) }, viewed('place.line')),
      ),
    ).toEqual(['/visit?place.row=…: the filter is "place.line" now', '/api/visit: "place.row" is "place.line" now'])
  })

  it('a view that shows other rows under its name, and none whose names alone changed', async () => {
    const before = visit({ kind, size: of('integer') }, list({ kind: ['A', 'B'], size_gte: 1 }))
    expect(await links(before, visit({ kind, size: of('integer') }, list({ kind: ['A', 'B'], size_gte: 2 })))).toEqual([
      '/visit: the view "open" shows other rows',
    ])
    const views = (filters: object) => ({ list: { filters: ['kind'], views: { open: { label, filters } } } as object })
    const next = visit({ kind: renamed, volume: of('integer', { was: 'size' }) }, views({ volume_gte: 1, kind: ['C', 'B'] }))
    expect((await links(before, next)).filter((line) => line.includes('view'))).toEqual([])
  })
})
