import pg from 'pg'
import { expect, it } from 'vitest'
import { createTestDatabase, postgresUrl } from '#tests/support/postgres.ts'

// Without PostgreSQL, as may be outside of CI, this skip tells that half of the contract tests did not run.
it.skipIf(!postgresUrl())(
  'PostgreSQL runs its half of the contract tests, and gives each test a database of its own',
  async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
    const client = new pg.Client({ connectionString: one.url })
    await client.connect()
    await client.query('CREATE TABLE mine (id int)')
    await client.end()
    const second = new pg.Client({ connectionString: other.url })
    await second.connect()
    const { rows } = await second.query("SELECT to_regclass('mine') AS found")
    expect(rows).toEqual([{ found: null }])
    await second.end()
    await Promise.all([one.drop(), other.drop()])
    await expect(new pg.Client({ connectionString: one.url }).connect()).rejects.toThrow('does not exist')
  },
)
