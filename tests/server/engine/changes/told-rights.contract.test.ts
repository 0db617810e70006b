import { beforeEach, describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { accessLines } from '#server/engine/changes/access/access-text.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field
const text = of('text')
const access = { list: ['admin', 'client'], edit: ['admin', 'client'] } as const
const closed = of('text', { access: { read: ['admin'] } })
const record = (fields: Record<string, Field>, more: Partial<AnyResource> = {}) =>
  visit({ k: text, ...fields }, { access, ...more })

describe.each(engines)('a plan of rights on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })
  const lines = async (before: AnyResource, now: AnyResource) => {
    await table.start(before)
    return accessLines((await table.plan(now)).access)
  }
  /** The lines of a change, and those of the way back. */
  const both = async (before: AnyResource, now: AnyResource) => {
    const there = await lines(before, now)
    await table.run('drop table "visit"')
    await table.run('delete from "appliedDefinition"')
    return [there, await lines(now, before)]
  }

  it.each(['group', 'list'])('tells who reads and writes a part of a %s', async (type) => {
    const parts = (a: Field) => record({ g: of(type, { fields: { a, b: text } }) })
    expect(await both(parts(closed), parts(text))).toEqual([
      ['  + client: visit: read g.a; write g.a'],
      ['  - client: visit: read g.a; write g.a'],
    ])
    await table.run('drop table "visit"')
    await table.run('delete from "appliedDefinition"')
    const renamed = record({ h: of(type, { was: 'g', fields: { c: { ...text, was: 'a' }, b: text } }) })
    expect(await lines(parts(closed), renamed)).toEqual(['  + client: visit: read h.c; write h.c'])
  })

  it('tells a group once, not by its parts', async () => {
    const whole = (facts: object) => record({ g: of('group', { fields: { a: text, b: closed }, ...facts }) })
    expect(await lines(whole({ access: { read: ['admin'] } }), whole({}))).toEqual(['  + client: visit: read g; write g'])
  })

  it('tells who is shown more of records out of sight', async () => {
    const scope = { client: { field: 'k', op: 'eq', value: 'x' } } as const
    const unseen = (paths?: string[]) =>
      record({ z: text, s: closed }, { scope, summary: ['k', 'z', 's'], ...(paths ? { unseen: { client: paths } } : {}) })
    expect(await both(unseen(['k']), unseen(['k', 'z', 's']))).toEqual([
      ['  + client: visit: read of records out of sight z'],
      ['  - client: visit: read of records out of sight z'],
    ])
    await table.start(unseen([]))
    expect(accessLines((await table.plan(unseen())).access)).toEqual(['  + client: visit: read of records out of sight id'])
  })

  it('tells who finds more of a record beside each reference to it', async () => {
    const summary = (...paths: string[]) => record({ z: text, s: closed }, { summary: paths })
    expect(await both(summary('k'), summary('k', 'z', 's'))).toEqual([
      ['  + admin: visit: read in references z, s', '  + client: visit: read in references z'],
      ['  - admin: visit: read in references z, s', '  - client: visit: read in references z'],
    ])
    await table.start(summary('k'))
    expect(
      await lines(summary('k'), visit({ n: { ...text, was: 'k' }, z: text, s: closed }, { access, summary: ['n'] })),
    ).toEqual([])
  })

  it('tells nobody to write what no form has: a count, or what is only sorted by', async () => {
    const count = of('count', { of: 'visit', by: 'up' })
    const up = of('reference', { to: 'visit' })
    const rows = (facts: object) => ({ access: { ...access, ...facts } }) as Partial<AnyResource>
    const open = rows({ edit: ['admin', 'client'], create: ['admin', 'client'] })
    expect(await lines(record({ up, count }, rows({ edit: ['admin'] })), record({ up, count }, open))).toEqual([
      '  + admin: visit: create',
      '  + client: visit: create, edit; write k, up',
    ])
  })

  it('tells what an action writes although it is closed', async () => {
    const f = of('text', { access: { write: ['admin'] } })
    const action = (facts: object) =>
      record({ f }, { actions: { go: { label, roles: ['admin', 'client'], form: { k: text }, ...facts } } } as object)
    expect(await both(action({}), action({ writes: ['f'] }))).toEqual([
      ['  + client: visit: write by go f'],
      ['  - client: visit: write by go f'],
    ])
  })

  it('tells what is done without a confirmation, or not by a rule any more', async () => {
    const rule = { field: 'k', op: 'eq', value: 'x' } as const
    const facts = (fresh: object, readOnly: object) =>
      record({ f: of('text', fresh), r: of('text', readOnly) }, {
        actions: { go: { label, ...fresh, set: { k: 'x' } } },
      } as object)
    expect(await both(facts({ fresh: true }, { readOnly: true }), facts({}, {}))).toEqual([
      ['  + admin, client: visit: write without confirmation f; write r; action without confirmation go'],
      ['  - admin, client: visit: write without confirmation f; write r; action without confirmation go'],
    ])
    await table.start(facts({}, {}))
    expect(await lines(facts({}, {}), facts({}, { readOnly: rule }))).toEqual(['  - admin, client: visit: write r'])
    await table.start(facts({}, { readOnly: rule }))
    expect(await lines(facts({}, { readOnly: rule }), facts({}, { readOnly: { ...rule, value: 'y' } }))).toEqual([
      '  ~ admin, client: visit: write r',
    ])
  })
})
