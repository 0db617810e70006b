import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type RulesByResource, tableOf } from '#server/engine/sql/field-sql.ts'
import { planTables, type TablePlan } from '#server/engine/sql/table-plan.ts'
import { type Derived, deriveTables } from '#server/engine/sql/tables.ts'
import { writeApplied } from './applied-definitions.ts'
import { type Changes, findChanges } from './find-changes.ts'
import { ChangesRefused } from './obstacles.ts'

/** `orphans`: tables with rows whose definition is gone. */
export type Prepared = Derived & { orphans: string[] }

/** Tables of definitions that are gone are left alone; nobody reads them. */
export async function orphansOf(
  db: Queryable,
  plans: readonly TablePlan[],
  { existing, applied }: Pick<Changes, 'existing' | 'applied'>,
) {
  const isPlanned = (table: string) => plans.some((plan) => plan.table === table)
  const tables = [...new Set([...applied.values()].map(tableOf))].filter((table) => !isPlanned(table))
  const filled: string[] = []
  for (const table of tables) {
    if (!existing.columns.has(table) || existing.views.has(table)) continue
    const [counted] = await rowsOf(db, sql<{ rows: number }>`select count(*) as "rows" from ${sql.table(table)}`)
    if (counted && counted.rows > 0) filled.push(`the table ${table} has ${counted.rows} rows and no definition any more`)
  }
  return filled
}

async function align(db: Queryable, definitions: Definitions, rules: RulesByResource): Promise<Prepared> {
  const plans = planTables(definitions, rules)
  await sql`select pg_advisory_xact_lock(727002)`.execute(db)
  await sql`set local lock_timeout = '3s'`.execute(db)
  const changes = await findChanges(db, plans, definitions, new Date().toISOString())
  const steps = changes.steps.filter(({ rows }) => rows > 0)
  if (changes.obstacles.length + steps.length > 0) throw new ChangesRefused({ obstacles: changes.obstacles, steps })
  const { existing, applied } = changes
  const done = await deriveTables(db, plans, existing)
  await writeApplied(db, definitions, applied)
  return { ...done, orphans: await orphansOf(db, plans, { existing, applied }) }
}

/**
 * Brings the tables up to the definitions, as one change that several servers may begin at once. Throws `ChangesRefused` where rows
 * stand against it, and throws for definitions that can not have tables.
 */
export const prepareTables = (database: Database, definitions: Definitions, rules: RulesByResource): Promise<Prepared> =>
  inTransaction(database, async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    return align(db, definitions, rules)
  })
