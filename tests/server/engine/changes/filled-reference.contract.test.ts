import { beforeEach, describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { changingDatabase, label, type Raw, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field
const access = { list: ['admin'] } as const
const role = of('enum', { options: ['ADMIN', 'CLIENT'] })
const site = visit({}, { name: 'site' })
const person = visit({ role, siteId: of('reference', { to: 'site' }) }, { name: 'person', access })
const client = visit({}, { name: 'client', subset: { of: 'person', where: { role: 'CLIENT' } }, access })
const others = [person, client, site]
const who = (facts: object) => of('reference', { to: 'person', required: true, ...facts })

describe.each(engines)('a reference that is filled on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  const base = { siteId: of('reference', { to: 'site' }), bossId: of('reference', { to: 'person' }) }
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(visit({ ...base, place: of('group', { fields: { name: of('text') } }) }), ...others)
    await table.fill('site', [{ id: 's1' }, { id: 's2' }])
    await table.fill('person', [
      { id: 'a1', role: 'ADMIN', siteId: 's1' },
      { id: 'c1', role: 'CLIENT', siteId: 's2' },
    ])
    await table.fill('visit', [
      { id: 'v1', siteId: 's1', bossId: 'a1', place: { name: 'n' } },
      { id: 'v2', siteId: 's2', bossId: 'c1', place: null },
    ] as Raw[])
  })
  const next = (facts: object, place: Record<string, Field> = {}) =>
    visit({ ...base, whoId: who(facts), place: of('group', { fields: { name: of('text'), ...place } }) })
  const obstacles = async (...asked: Parameters<typeof next>) => (await table.plan(next(...asked), ...others)).obstacles

  it('is looked up for tens of thousands of records, more than a statement takes values', async () => {
    await table.run(`insert into "person" select ("_row").* from (select jsonb_populate_record("p",
      jsonb_build_object('id', 'm' || "n")) as "_row" from "person" "p", generate_series(1, 66000) "n" where "p"."id" = 'a1') "made"`)
    await table.run(`insert into "visit" select ("_row").* from (select jsonb_populate_record("v",
      jsonb_build_object('id', 'w' || "n", 'bossId', 'm' || "n")) as "_row"
      from "visit" "v", generate_series(1, 66000) "n" where "v"."id" = 'v1') "made"`)
    expect(await obstacles({ backfill: '$record.bossId' })).toEqual([])
  }, 120_000)

  it('is refused by a record that the database does not have', async () => {
    expect(await obstacles({ backfill: 'nobody' })).toMatchObject([
      { kind: 'filled', field: 'whoId', rows: 2, defined: 'person', examples: [{ id: 'v1', value: 'nobody' }, { id: 'v2' }] },
    ])
    await expect(table.start(next({ backfill: 'nobody' }), ...others)).rejects.toThrow(
      'visit.whoId: 2 rows would be filled with a person that this database does not have',
    )
    const { planId } = await table.apply([next({ backfill: 'nobody' }), ...others])
    expect(planId).toBeUndefined()
  })

  it('is refused by a record of another part of the table, and in a group', async () => {
    expect(await obstacles({ to: 'client', backfill: 'a1' })).toMatchObject([{ kind: 'filled', field: 'whoId', rows: 2 }])
    expect(await obstacles({ to: 'client', backfill: 'c1' })).toEqual([])
    expect(await obstacles({ backfill: 'a1' }, { chiefId: who({ backfill: 'nobody' }) })).toMatchObject([
      { kind: 'filled', field: 'place.chiefId', rows: 1, examples: [{ id: 'v1', value: 'nobody' }] },
    ])
    expect(await obstacles({ backfill: 'a1' }, { chiefId: who({ backfill: 'c1' }) })).toEqual([])
  })

  it('is refused by a record that its options do not offer, in the row that is filled', async () => {
    const clients = { options: 'person?role=CLIENT' }
    expect(await obstacles({ ...clients, backfill: 'a1' })).toMatchObject([{ kind: 'filled', rows: 2 }])
    expect(await obstacles({ ...clients, backfill: 'c1' })).toEqual([])
    const bySite = { options: 'person?siteId={siteId}' }
    expect(await obstacles({ ...bySite, backfill: 'a1' })).toMatchObject([
      { kind: 'filled', rows: 1, examples: [{ id: 'v2', value: 'a1' }] },
    ])
    expect(await obstacles({ ...bySite, backfill: '$record.bossId' })).toEqual([])
  })

  it('is refused by ids of another resource', async () => {
    expect(await obstacles({ backfill: '$record.siteId' })).toMatchObject([{ kind: 'filled', rows: 2 }])
    await table.change(next({ backfill: '$record.bossId' }), others)
    expect(await table.rows('"id", "whoId"')).toEqual([
      { id: 'v1', whoId: 'a1' },
      { id: 'v2', whoId: 'c1' },
    ])
  })
})
