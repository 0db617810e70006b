import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { takeLock } from '#server/base/advisory-locks.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { archivedFiles, removePurgedFiles } from '#server/engine/files/remove-unused-files.ts'
import { readExistingTables } from '#server/engine/sql/existing-tables.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { planTables, type TablePlan } from '#server/engine/sql/table-plan.ts'
import { deriveTables } from '#server/engine/sql/tables.ts'
import { type AccessChange, accessChanges } from './access/access-changes.ts'
import { writeApplied } from './applied-definitions.ts'
import { type ChangeQuery, type Changes, findChanges } from './find-changes.ts'
import { type Filled, filledColumns, type Kept, keptValues } from './kept-rows.ts'
import { archiveTable } from './left-tables.ts'
import { type LinkChange, linkChanges } from './link-changes.ts'
import type { Note } from './notes.ts'
import type { Obstacle } from './obstacles.ts'
import { type Step, withoutValues } from './steps.ts'
import { subsetChanges } from './subset-changes.ts'
import { convertKept, renameKept, type ValuePlace } from './writing/kept-values.ts'
import { archiveRemovedColumns, writeConversions } from './writing/write-conversions.ts'
import { type NamePlace, writeRenames } from './writing/write-renames.ts'

/** Changes that a start makes to a database, and those that must be applied before. */
export type Plan = {
  /** Tables and columns that a start adds automatically. */
  added: string[]
  /** Rows that a start fills with the constant default of a column that it adds, by the name in `added`. */
  filled: Filled[]
  /** Fields of another type whose values stay as they are. */
  kept: Kept[]
  /** Declared changes that wait to be applied. */
  steps: Step[]
  /** Rows that conflict with the definitions: nothing is applied and no server starts. */
  obstacles: Obstacle[]
  /** Rows that stay although they no longer fit. */
  notes: Note[]
  access: AccessChange[]
  links: LinkChange[]
}

/** The definitions to compare with, and other columns that contain resource names, or former values of records. */
export type Wanted = ChangeQuery & { rules: RulesByResource; places: readonly NamePlace[]; keptValues?: readonly ValuePlace[] }

function additions(plans: readonly TablePlan[], { renamed }: Changes): string[] {
  return plans.flatMap(({ table, columns }) => {
    const have = renamed.columns.get(table)
    if (!have) return [table]
    return renamed.views.has(table)
      ? []
      : [...columns.keys()].filter((name) => !have.has(name)).map((name) => `${table}.${name}`)
  })
}

async function planOf(db: Queryable, plans: readonly TablePlan[], changes: Changes, { definitions }: Wanted): Promise<Plan> {
  const { applied, steps, obstacles, notes } = changes
  return {
    added: additions(plans, changes),
    filled: await filledColumns(db, plans, changes),
    kept: await keptValues(db, changes),
    steps,
    obstacles,
    notes,
    access: [...accessChanges(applied, definitions), ...(await subsetChanges(db, definitions, changes))],
    links: linkChanges(applied, definitions),
  }
}

/** Computes the plan in one snapshot of the database, which may be in use: no locks and no changes. */
export const makePlan = (database: Database, wanted: Wanted): Promise<Plan> =>
  inTransaction(database, async (db) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db)
    await sql`set local statement_timeout = 0`.execute(db)
    const plans = planTables(wanted.definitions, wanted.rules)
    return await planOf(db, plans, await findChanges(db, plans, wanted), wanted)
  })

/** Empties the archive. Returns the number of values, and the files that only they may have named. */
async function purge(db: Queryable, now: string): Promise<{ purged: number; files: readonly string[] }> {
  const files = await archivedFiles(db)
  const gone = await rowsOf(db, sql`delete from "planArchive" returning 1`)
  await sql`update "appliedPlan" set "purgedAt" = ${now} where "purgedAt" is null and "at" < ${now}`.execute(db)
  return { purged: gone.length, files }
}

/** `planId`: undefined when there was nothing to apply, or obstacles. `purged`: values removed from the archive. */
export type AppliedPlan = { plan: Plan; planId?: string; purged?: number }

/** Applies all declared changes and records them, in one transaction. */
export const applyPlan = (
  database: Database,
  wanted: Wanted,
  options: { version: string; isPurging?: boolean },
): Promise<AppliedPlan> =>
  inTransaction(database, async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    await takeLock(db, 'definitions')
    await sql`set local lock_timeout = '10s'`.execute(db)
    const plans = planTables(wanted.definitions, wanted.rules)
    const changes = await findChanges(db, plans, wanted)
    const plan = await planOf(db, plans, changes, wanted)
    if (plan.obstacles.length > 0) return { plan }
    // Values removed by this plan stay until the next purge.
    const { files = [], ...purged } = options.isPurging ? await purge(db, wanted.now) : {}
    if (plan.steps.length === 0) {
      await removePurgedFiles(db, wanted.definitions, files)
      return { plan, ...purged }
    }
    const planId = uuidv7()
    const rows = plan.steps.reduce((sum, step) => sum + step.rows, 0)
    // The plan's record outlives the values that it removed, so it contains no examples of notes.
    const notes = plan.notes.map(({ examples: _, ...note }) => note)
    const record = JSON.stringify({ ...plan, notes, steps: plan.steps.map(withoutValues) })
    await sql`insert into "appliedPlan" ("id", "at", "version", "plan", "rows")
      values (${planId}, ${wanted.now}, ${options.version}, ${record}::jsonb, ${rows})`.execute(db)
    await writeRenames(db, changes, wanted.places)
    const kept = { places: wanted.keptValues ?? [], definitions: wanted.definitions, now: wanted.now }
    for (const rename of changes.renames.columns) await renameKept(db, rename, kept)
    for (const check of changes.checks) {
      await convertKept(db, check, kept)
      await writeConversions({ db, planId, now: wanted.now }, check)
      await archiveRemovedColumns({ db, planId, now: wanted.now }, check)
    }
    for (const gone of changes.goneTables) await archiveTable(db, planId, gone)
    await deriveTables(db, plans, await readExistingTables(db))
    await writeApplied(db, wanted.definitions, changes.applied)
    await removePurgedFiles(db, wanted.definitions, files)
    return { plan, planId, ...purged }
  })
