import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Database } from '#server/db/connect.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'
import { openMigrated, postgres } from '#tests/support/databases.ts'
import { postgresUrl } from '#tests/support/postgres.ts'

const thing: AnyResource = {
  name: 'thing',
  label: { one: ['Thing', 'Вещь'], many: ['Things', 'Вещи'] },
  fields: { code: { type: 'text', label: ['Code', 'Код'] } },
}
const size: AnyResource['fields'] = { size: { type: 'integer', label: ['Size', 'Размер'] } }
const rules = { thing: { indexes: [`create unique index if not exists "thing_code_uq" on "thing" ("code")`] } }

// The embedded engine has one session, so nobody else can use a table.
describe.runIf(postgresUrl())('a start beside a server whose jobs write', () => {
  let database: Database
  const warned: string[] = []
  const start = (fields: AnyResource['fields'] = {}) =>
    prepareTables(database, definitionsOf([{ ...thing, fields: { ...thing.fields, ...fields } }]), rules, {
      log: { warn: (text: string) => void warned.push(text) },
      pauseMs: 10,
    })
  /** A transaction that has written into the table. */
  async function openWriter() {
    const client = await database.pool.connect()
    await client.query(`begin; insert into "thing" ("id", "code") values (gen_random_uuid(), gen_random_uuid())`)
    return async () => {
      await client.query('commit')
      client.release()
    }
  }
  beforeAll(async () => {
    database = await openMigrated(postgres)
    await start()
  })
  afterAll(() => database.close())

  it('waits for nobody where all tables and indexes are there', async () => {
    const end = await openWriter()
    expect(await start()).toEqual({ applied: [], added: [], drift: [] })
    expect(warned).toEqual([])
    await end()
  })

  it('tries again with a word where a table changes, and goes on when the writer has ended', async () => {
    const end = await openWriter()
    const started = start(size)
    await expect.poll(() => warned, { timeout: 10_000 }).toEqual([expect.stringContaining('attempt 2 of 10')])
    await end()
    expect((await started).added).toEqual(['thing.size'])
  })
})
