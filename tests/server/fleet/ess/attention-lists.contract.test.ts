import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import type { Sort } from '#schema/list-query.ts'
import { rulesByResource } from '#server/app/rules.ts'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { orderSql } from '#server/engine/sql/filter-and-order.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const definitions = definitionsOf(resources)

describe.each(oneEngine(import.meta.filename))('lists that open in the order of attention on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())

  it('puts warnings by severity, what nobody has acknowledged first, then what is muted, then what is over', async () => {
    const rows = [
      ['over', 'CRITICAL', 'false', 'false', 'false', 0],
      ['acknowledged', 'CRITICAL', 'true', 'true', 'false', 1],
      ['minor', 'INFO', 'true', 'false', 'false', 2],
      ['muted', 'CRITICAL', 'true', 'false', 'true', 3],
      ['old', 'WARNING', 'true', 'false', 'false', 5],
      ['new', 'WARNING', 'true', 'false', 'false', 4],
      ['worst', 'CRITICAL', 'true', 'false', 'false', 90],
      ['long over', 'INFO', 'false', 'true', 'false', 95],
    ] as const
    for (const [name, severity, active, acknowledged, suppressed, minutes] of rows)
      await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "subject", "active", "acknowledged", "suppressed", "raisedAt")
        values (gen_random_uuid()::text, 'DOOR_OPEN', '${severity}', 'sorted ${name}', ${active}, ${acknowledged}, ${suppressed},
          now() - interval '${minutes} minutes')`)
    const { body } = await server.call<{ subject: string }[]>('GET', 'telemetry-warning?q=sorted')
    expect(body.map(({ subject }) => subject.replace('sorted ', ''))).toEqual([
      'worst',
      'acknowledged',
      'new',
      'old',
      'minor',
      'muted',
      'over',
      'long over',
    ])
  })

  it('puts systems by the names of their owners, which travel with them', async () => {
    const owners = [
      ['a', 'Zoe', 'Young'],
      ['b', 'Adam', 'Old'],
    ] as const
    for (const [email, first, last] of owners) {
      const { essId } = await server.addBoard()
      await server.rows(`insert into "user" ("id", "email", "role", "firstName", "lastName")
        values ('owner-${email}', '${email}@test.example', 'client', '${first}', '${last}')`)
      await server.rows(`update "ess" set "ownerId" = 'owner-${email}' where "id" = '${essId}'`)
    }
    const { body } = await server.call<{ owner: { name: string } }[]>('GET', 'ess?ownerId_null=false&_sort=ownerId&_order=asc')
    expect(body.map(({ owner }) => owner.name)).toEqual(['Adam Old', 'Zoe Young'])
  })

  const orders: [name: string, ...sort: Sort[]][] = [
    ['control-pcb'],
    ['ess'],
    ['telemetry-warning'],
    ['ess', { field: 'name', order: 'asc' }],
    ['ess', { field: 'name', order: 'desc' }],
    ['ess', { field: 'code', order: 'desc' }],
    ['control-pcb', { field: 'code', order: 'desc' }],
    ['client', { field: 'email', order: 'asc' }],
  ]
  it.each(orders)('finds the first page of %s by an index, without sorting the table: by %o', async (name, ...sort) => {
    const resource = definitions.get(name)
    if (!resource) throw new Error(`no resource is called ${name}`)
    const order = orderSql({ resource, definitions, rules: rulesByResource, now: new Date() }, sort)
    const plan = await inTransaction(server.database, async (db) => {
      // A table of nine rows is read at once whatever its indexes: what is asked is whether one gives the very order.
      for (const way of ['sort', 'incremental_sort', 'seqscan', 'bitmapscan'])
        await sql.raw(`set local enable_${way} = off`).execute(db)
      const table = sql.table(tableOf(resource))
      const rows = await rowsOf(
        db,
        sql<
          Record<string, string>
        >`explain (costs off) select "t".* from ${table} as "t" where true order by ${order} limit 25`,
      )
      return rows.flatMap(Object.values).join('\n')
    })
    expect(plan).toContain('Index Scan using')
    expect(plan).not.toContain('Sort')
  })
})
