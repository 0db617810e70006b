import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { takeLock } from '#server/base/advisory-locks.ts'
import type { Database } from '#server/db/connect.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { planTables } from '#server/engine/sql/table-plan.ts'
import { type Derived, deriveTables } from '#server/engine/sql/tables.ts'
import { writeApplied } from './applied-definitions.ts'
import { type ChangeQuery, findChanges } from './find-changes.ts'
import { ChangesRefused } from './obstacles.ts'

async function align(db: Queryable, asked: ChangeQuery, rules: RulesByResource): Promise<Derived> {
  const { definitions } = asked
  const plans = planTables(definitions, rules)
  await takeLock(db, 'definitions')
  await sql`set local lock_timeout = '3s'`.execute(db)
  const changes = await findChanges(db, plans, asked)
  const steps = changes.steps.filter(({ rows }) => rows > 0)
  if (changes.obstacles.length + steps.length > 0) throw new ChangesRefused({ obstacles: changes.obstacles, steps })
  const { existing, applied } = changes
  const done = await deriveTables(db, plans, existing)
  await writeApplied(db, definitions, applied)
  return done
}

const isLockTimeout = (error: unknown) => Object(error).code === '55P03'

type Waiting = { goneResources?: readonly string[]; log?: { warn: (text: string) => void }; pauseMs?: number }
const mostTries = 10
const pauseBetweenMs = 2_000

/**
 * Aligns the tables with the definitions in one transaction that several servers may start concurrently. Throws
 * `ChangesRefused` when rows conflict, and for definitions that cannot have tables. A table in use by another server is waited
 * for with pauses, in which its writers go on.
 */
export async function prepareTables(
  database: Database,
  definitions: Definitions,
  rules: RulesByResource,
  { goneResources = [], log, pauseMs = pauseBetweenMs }: Waiting = {},
): Promise<Derived> {
  const prepare = () =>
    inTransaction(database, async (db) => {
      await sql`set local statement_timeout = 0`.execute(db)
      return align(db, { definitions, goneResources, now: new Date().toISOString(), isStart: true }, rules)
    })
  for (let tries = 1; ; tries += 1) {
    try {
      return await prepare()
    } catch (error) {
      if (!isLockTimeout(error) || tries === mostTries) throw error
      log?.warn(`tables: another server is using a table that changes; attempt ${tries + 1} of ${mostTries} follows`)
      await sleep(pauseMs)
    }
  }
}
