import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firstAdminPart } from '#server/account/first-admin-part.ts'
import { readConfig } from '#server/base/config.ts'
import type { Database } from '#server/db/connect.ts'
import { demoPart, demoUsers } from '#server/demo/demo-part.ts'
import { engines } from '#tests/support/databases.ts'
import { productTables } from '#tests/support/templates.ts'

/** Several processes begin with the same empty database; each has looked before one of them has written. */
describe.each(engines)('servers that start together on $name', (engine) => {
  let database: Database
  beforeEach(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    database = await engine.open({ template: productTables })
  })
  afterEach(() => database.close())

  const contextOf = (env: Record<string, string>) =>
    ({ config: readConfig(env), database, clock: () => new Date(), definitions: new Map() }) as never
  const peopleWith = async (role: string) =>
    (await database.pool.query(`select "email" from "user" join "credential" on "userId" = "id" where "role" = $1`, [role]))
      .rows

  it('make one first admin', async () => {
    const env = { ADMIN_EMAIL: 'first@example.org', ADMIN_PASSWORD: 'correct horse battery' }
    await Promise.all([1, 2, 3].map(() => firstAdminPart(demoUsers).prepare?.(contextOf(env))))
    expect(await peopleWith('admin')).toEqual([{ email: 'first@example.org' }])
  })

  it('make one demo fleet', async () => {
    const env = { DEMO: 'true', DEMO_SIZE: '5' }
    await Promise.all([1, 2, 3].map(() => demoPart({} as never).prepare?.(contextOf(env))))
    expect((await peopleWith('admin')).length).toBe(1)
    expect((await database.pool.query('select 1 from "ess"')).rowCount).toBe(5)
  })
})
