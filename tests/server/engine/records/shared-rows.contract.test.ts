import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import type { SharedRow } from '#server/engine/sql/shared-rows.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer, toyRules } from '#tests/support/toy-server.ts'

/** Every read is counted. */
const read: SharedRow = { as: 'read', select: sql`select nextval('reads') as "at", length("t"."name") as "length" offset 0` }

const rules: RulesByResource = {
  ...toyRules,
  toy: {
    ...toyRules.toy,
    derived: {
      isOld: { of: [read], value: sql`"read"."at" > 0 and "read"."length" > 3` },
      taskCount: { of: [read], value: sql`"read"."length"` },
    },
  },
}

describe.each(engines)('a row that derived fields share, on $name,', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, rules)
    await server.select('create sequence "reads"')
    for (const name of ['Car', 'Train', 'Robot']) await server.made('toy', { code: name, name, colour: 'RED', isLoud: false })
  })
  afterAll(() => server.close())

  const told = async (query: string) =>
    (await server.get(`toy${query}`)).rows.map(({ name, isOld, taskCount }) => [name, isOld, taskCount])
  const reads = async () => Number((await server.select(`select "last_value" from "reads"`))[0]?.last_value)

  it('is read once for each row of a page', async () => {
    const before = await reads()
    expect(await told('?_sort=name&_end=2')).toEqual([
      ['Car', false, 3],
      ['Robot', true, 5],
    ])
    expect((await reads()) - before).toBe(2)
  })

  it('answers filters and orders, too', async () => {
    expect(await told('?isOld=true&_sort=taskCount,name&_order=desc,desc')).toEqual([
      ['Train', true, 5],
      ['Robot', true, 5],
    ])
  })

  it('is read once for a whole record', async () => {
    const [first] = (await server.get('toy?_sort=name&_end=1')).rows
    const before = await reads()
    expect(await server.get(`toy/${first?.id}`)).toMatchObject({ body: { isOld: false, taskCount: 3 } })
    expect((await reads()) - before).toBe(1)
  })
})
