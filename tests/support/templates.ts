import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { migrations } from '#server/app/migrations.ts'
import { rulesByResource } from '#server/app/rules.ts'
import type { Database } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'

/** Made once in a run of the tests; every database opened from it is a copy. */
export type Template = { name: string; fill: (database: Database) => Promise<void> }

/** Every migration and no table of a definition. */
export const migrated: Template = {
  name: 'migrated',
  fill: async (database) => {
    await migrate(database, migrations)
  },
}

/** Every migration and the tables of the product's own definitions. A server opened on it finds nothing left to add. */
export const productTables: Template = {
  name: 'product',
  fill: async (database) => {
    await migrate(database, migrations)
    await prepareTables(database, definitionsOf(resources), rulesByResource)
  },
}
