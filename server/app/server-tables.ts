import { migrationTable } from '#server/db/migrate.ts'
import { migrations } from './migrations.ts'

/** Tables that the server keeps for itself, as its migrations make them. No definition has one of these names. */
export const serverTables: readonly string[] = [
  migrationTable,
  ...migrations.flatMap(({ up }) =>
    typeof up === 'string' ? [...up.matchAll(/\bcreate table "([^"]+)"/g)].map(([, name = '']) => name) : [],
  ),
]
