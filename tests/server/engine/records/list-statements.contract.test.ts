import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { engines, type TestEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer, toyRules } from '#tests/support/toy-server.ts'

/** All statements in one session, which knows what became of each. */
const inOneSession = (engine: TestEngine): TestEngine => ({
  ...engine,
  open: (limits) => engine.open({ ...limits, poolMax: 1 }),
})

/** Every look at `isOld` is counted; `taskCount` is another one for each client. */
const rules: RulesByResource = {
  ...toyRules,
  toy: {
    ...toyRules.toy,
    derived: { isOld: sql`nextval('looked') > 0` },
    forCaller: (caller) => ({ taskCount: caller?.role === 'client' ? sql`length(${caller.userId})` : sql`0` }),
  },
}

describe.each(engines)('the statement of a list on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(inOneSession(engine), rules)
    await server.select('create sequence "looked"')
    const first = await server.made('toy', { code: 'T-0', name: 'Toy 0', colour: 'RED', isLoud: false })
    await server.select(`insert into "toy" select (jsonb_populate_record("t", jsonb_build_object('id', 't' || "n", 'code', 'T-' || "n",
      'name', 'Toy ' || "n"))).* from "toy" "t", generate_series(1, 3000) "n" where "t"."id" = '${first.id}'`)
    await server.select('analyze "toy"')
  })
  afterAll(() => server.close())

  /** Kinds of plans in use for the statement: generic (for any value) and custom (for its own). */
  async function plansOf(query: string): Promise<{ once: boolean; forEach: boolean }> {
    const before = await plans()
    for (let i = 0; i < 12; i++) expect((await server.get(`toy${query}`)).status).toBe(200)
    const after = await plans()
    return { once: after.generic > before.generic, forEach: after.custom > before.custom }
  }
  async function plans() {
    const [row] = await rowsOf(
      server.database.kysely,
      sql<{ generic: number; custom: number }>`select coalesce(sum("generic_plans"), 0)::int as "generic",
        coalesce(sum("custom_plans"), 0)::int as "custom" from pg_prepared_statements where "name" like 'prepared_%'`,
    )
    return row ?? { generic: 0, custom: 0 }
  }

  it.each(['?_end=2', '?colour=RED&_end=2', '?colour=RED&colour=BLUE&isLoud=false', '?colour_ne=RED&_sort=name&_order=desc'])(
    'is planned once where it only chooses: %s',
    async (query) => {
      expect(await plansOf(query)).toEqual({ once: true, forEach: false })
    },
  )

  it.each(['?pieces_gte=2&_end=2', '?code_ne=T-1'])('is planned for its value where that is one of many: %s', async (query) => {
    expect(await plansOf(query)).toEqual({ once: false, forEach: true })
  })

  it('is planned once for any record, after a few', async () => {
    const [first] = (await server.get('toy?_end=1')).rows
    expect(await plansOf(`/${first?.id}`)).toMatchObject({ once: true })
  })

  it('answers each caller for himself, and each role, at the same address', async () => {
    const told = async (as: string) => (await server.get('toy?_end=1', as)).rows.map(({ taskCount }) => taskCount)
    for (const _ of [1, 2]) {
      expect([await told('client:ann'), await told('client:joanna')]).toEqual([[3], [6]])
      expect(await told('admin:ann')).toEqual([0])
    }
  })

  it('works out derived values for the rows of the page, and for no others', async () => {
    const looked = async () => Number((await server.select(`select "last_value" from "looked"`))[0]?.last_value)
    const before = await looked()
    expect((await server.get('toy?_sort=name&_start=1&_end=3')).rows).toHaveLength(2)
    expect((await looked()) - before).toBe(2)
  })
})
