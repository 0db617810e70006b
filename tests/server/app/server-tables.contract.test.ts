import { expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import { serverTables } from '#server/app/server-tables.ts'
import { oneEngine, openMigrated } from '#tests/support/databases.ts'

it.each(oneEngine(import.meta.filename))(
  'the tables of the server are those that its migrations make on $name',
  async (engine) => {
    const database = await openMigrated(engine)
    try {
      const { rows } = await database.pool.query<{ name: string }>(
        `select c.relname as "name" from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
      )
      expect(rows.length).toBeGreaterThan(50)
      expect(serverTables.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
    } finally {
      await database.close()
    }
  },
)

it('a definition by the name of such a table is refused with a reason', () => {
  const named = (name: string) => ({
    name,
    label: { one: ['One', 'Один'], many: ['Many', 'Много'] },
    fields: { code: { type: 'code', label: ['Code', 'Код'] } },
  })
  const faults = checkResources(['session', 'idempotency', 'lease', 'migration', 'telemetry1h'].map(named), { serverTables })
  expect(faults.map(({ path, message }) => [path, message])).toEqual(
    ['session', 'idempotency', 'lease', 'migration', 'telemetry1h'].map((name) => [
      `${name}.name`,
      `the server keeps a table "${name}" of its own; call the resource otherwise`,
    ]),
  )
})
