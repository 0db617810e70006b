import { beforeEach, describe, expect, it } from 'vitest'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const fields = { code: { ...text, unique: true }, kind: { type: 'enum', label, options: ['A', 'B'] } } as const
const trip = (more = {}) => visit(fields, { name: 'site-trip', ...more })
const rows = Array.from({ length: 15 }, (_, index) => ({ id: `v${10 + index}`, code: `c${index}`, kind: 'A' }))

describe.each(engines)('a table with rows that no definition names on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(visit(fields))
    await table.fill('visit', rows)
  })

  /** As a release left it that did not look at former tables: an empty table, kept as the one that is in force. */
  const startBeside = async () => {
    await table.run(`alter table "visit" rename to "aside"`)
    await table.run(`delete from "appliedDefinition"`)
    await table.start(trip())
    await table.run(`alter table "aside" rename to "visit"`)
    await table.run(
      `insert into "appliedDefinition" ("resource", "definition") values ('visit', '${JSON.stringify(visit(fields))}')`,
    )
  }

  it('refuses the start and the plan, and names what it may have become', async () => {
    const obstacle = { kind: 'left', resource: 'visit', stored: 'visit', rows: 15, heirs: ['site-trip'] }
    expect(await table.refusalOf(trip())).toMatchObject([obstacle])
    expect(await table.run(`select to_regclass('site_trip') as "made"`)).toEqual([{ made: null }])
    const other = visit({ size: { type: 'integer', label } }, { name: 'tool' })
    expect((await table.plan(trip(), other)).obstacles).toMatchObject([obstacle])
    await expect(table.start(trip())).rejects.toThrow(
      /visit: 15 rows are in the table visit, [\s\S]*To do: say `was: 'visit'` at site-trip, if it became that; [\s\S]*goneResources/,
    )
    await expect(table.start(other)).rejects.toThrow('To do: name it in `was` of the resource that it became')
    expect(await table.change(trip({ was: 'visit' }))).toEqual([
      { kind: 'resource', resource: 'site-trip', from: 'visit', rows: 15 },
    ])
  })

  it('is no obstacle where it is empty, nor for a definition of a part of it', async () => {
    await table.start(visit(fields), visit({}, { name: 'a-visit', subset: { of: 'visit', where: { kind: 'A' } } }))
    expect(await table.refusalOf(visit(fields))).toEqual([])
    await table.run(`delete from "visit"`)
    expect(await table.refusalOf(trip())).toEqual([])
  })

  it('becomes the renamed one, where an empty table was made beside it', async () => {
    await startBeside()
    await table.run(`alter table "site_trip" add column "extra" text`)
    const next = trip({ was: 'visit' })
    expect(await table.change(next)).toEqual([{ kind: 'resource', resource: 'site-trip', from: 'visit', rows: 15 }])
    expect(await table.run(`select count(*)::int as "n" from "site_trip"`)).toEqual([{ n: 15 }])
    expect(await table.run(`select to_regclass('visit') as "left"`)).toEqual([{ left: null }])
    expect(await table.run(`select "resource" from "appliedDefinition"`)).toEqual([{ resource: 'site-trip' }])
    await expect(table.fill('site_trip', [{ id: 'x', code: 'c0' }])).rejects.toThrow('site_trip_code_key')
    await expect(table.fill('site_trip', [{ id: 'x', kind: 'Z' }])).rejects.toThrow('site_trip_kind_choices')
  })

  it('looks at its rows by the definition that they stand by, not by that of the empty table', async () => {
    await startBeside()
    await table.run(`update "visit" set "kind" = 'B' where "id" = 'v10'`)
    const next = visit({ ...fields, kind: { ...fields.kind, options: ['A'] } }, { name: 'site-trip', was: 'visit' })
    expect((await table.plan(next)).obstacles).toMatchObject([{ kind: 'choice', field: 'kind', rows: 1 }])
  })

  it('says what to do where the one that took its name has rows, too', async () => {
    await startBeside()
    await table.fill('site_trip', [{ id: 'n', code: 'new' }])
    const next = trip({ was: 'visit' })
    expect((await table.plan(next)).obstacles).toMatchObject([
      { kind: 'beside', resource: 'site-trip', stored: 'visit', rows: 15 },
    ])
    await expect(table.start(next)).rejects.toThrow(/15 rows are still in visit[\s\S]*To do: move the rows/)
    await table.run(`insert into "site_trip" select * from "visit"`)
    await table.run(`delete from "visit"`)
    expect(await table.refusalOf(next)).toEqual([])
  })

  it('goes to the archive with all its values, where the list of resources says that it may go', async () => {
    table.goneResources = ['visit']
    const other = visit({ name: text }, { name: 'tool' })
    expect(await table.change(other)).toEqual([{ kind: 'gone', resource: 'visit', rows: 15 }])
    expect(await table.run(`select to_regclass('visit') as "left"`)).toEqual([{ left: null }])
    const archive = await table.archive()
    expect(archive.filter(({ recordId }) => recordId === 'v10')).toEqual(
      expect.arrayContaining([
        { resource: 'visit', field: 'code', recordId: 'v10', value: 'c0' },
        { resource: 'visit', field: 'kind', recordId: 'v10', value: 'A' },
      ]),
    )
    expect(archive.filter(({ field }) => field === 'code')).toHaveLength(15)
    expect(await table.run(`select "resource" from "appliedDefinition"`)).toEqual([{ resource: 'tool' }])
  })
})
