import { describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { migrate } from '#server/db/migrate.ts'
import { engines } from '#tests/support/databases.ts'

describe.each(engines)('a database of an earlier release on $name', (engine) => {
  it('keeps the models of its systems under their new name', async () => {
    const database = await engine.open()
    const before = migrations.filter(({ id }) => id < '0022')
    await migrate(database, before)
    await database.pool.query(`create table "ess" ("id" text primary key, "modelId" text)`)
    await database.pool.query(`create index "ess_modelId_ix" on "ess" ("modelId")`)
    await database.pool.query(`insert into "ess" values ('a', 'hearth')`)
    expect(await migrate(database, migrations)).toContain('0022-ess-model-name')
    expect((await database.pool.query(`select * from "ess"`)).rows).toEqual([{ id: 'a', essModelId: 'hearth' }])
    const { rows } = await database.pool.query(`select indexname from pg_indexes where tablename = 'ess'`)
    expect(rows).toEqual([{ indexname: 'ess_pkey' }])
    await database.close()
  })
})
