import { goneResources, resources } from '#resources/index.ts'
import { checkResources, faultReport } from '#schema/check-resources.ts'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import { iconNames } from '#schema/icon-names.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { readConfig } from '#server/base/config.ts'
import { explained, StartError } from '#server/base/start-error.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { hasJobRunner } from '#server/db/jobs/lease.ts'
import { FolderInUse } from '#server/db/lock-file.ts'
import { isMigrated, migrate } from '#server/db/migrate.ts'
import { type AppliedPlan, applyPlan, makePlan, type Wanted } from '#server/engine/changes/plan.ts'
import { planText } from '#server/engine/changes/plan-text.ts'
import { stepLine } from '#server/engine/changes/steps.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { valuesBeforeImport } from '#server/filling/job-store.ts'
import { productVersion } from './data-commands.ts'
import { migrations } from './migrations.ts'
import { rulesByResource } from './rules.ts'
import { serverTables } from './server-tables.ts'

const besideServers = '--beside-servers'
const known = ['--json', '--apply', '--purge', besideServers]

/** Columns of other tables that hold names of resources. The audit log is never changed: its readers know former names. */
const places: Wanted['places'] = [
  { table: 'event', column: 'resource' },
  { table: 'importJob', column: 'target' },
]

/** An undo of an import gives records the values that they had: by the fields of today. */
const keptValues = [valuesBeforeImport]

type Tools = { print: (text: string) => void; definitions?: Definitions; rules?: RulesByResource }

function textOf({ plan, planId, purged }: AppliedPlan, isApplying: boolean): string {
  const steps = plan.steps.map((step) => `  ${stepLine(step)}`)
  const done = planId ? [`Applied as plan ${planId}:`, ...steps, 'The servers can start.'] : []
  const nothing = isApplying && plan.obstacles.length === 0 && !planId ? ['There is nothing to apply.'] : []
  const emptied = purged === undefined ? [] : [`Removed ${purged} values from the archive.`]
  return [...emptied, ...done, ...nothing, ...(isApplying && plan.obstacles.length === 0 ? [] : [planText(plan)])].join('\n')
}

async function planIn(database: Database, options: readonly string[], wanted: Wanted): Promise<AppliedPlan> {
  const isApplying = options.includes('--apply')
  if (!isApplying) return { plan: await makePlan(database, wanted) }
  // The embedded database has one process, and this is it: a lease is the rest of one that broke off.
  if (database.kind === 'server' && !options.includes(besideServers) && (await hasJobRunner(database.kysely)))
    throw new StartError(
      `A server runs on this database, or broke off a moment ago. It would go on by its own definitions and fail: stop all servers first, or say ${besideServers}. Nothing was changed.`,
    )
  await migrate(database, migrations)
  return applyPlan(database, wanted, { version: productVersion(), isPurging: options.includes('--purge') })
}

/** The embedded database belongs to one process: a copy of it can be planned on while the server runs. */
const besideServer = (error: unknown): never => {
  if (!(error instanceof FolderInUse)) return explained(error)
  throw new StartError(
    [
      error.message,
      'An embedded database is read by one process. To plan while its server runs, take a copy:',
      '  npm run backup -- plan.backup',
      '  DATA_DIR=./plan-copy npm run restore -- plan.backup',
      '  DATA_DIR=./plan-copy npm run plan',
    ].join('\n'),
    { cause: error },
  )
}

/**
 * `plan [--json] [--apply [--purge] [--beside-servers]]` on the database of the server's own settings. Answers the exit code: 1 where something stands
 * against the definitions.
 */
export async function runPlan(options: readonly string[], env: NodeJS.ProcessEnv, tools: Tools): Promise<number> {
  const { print, definitions = definitionsOf(resources), rules = rulesByResource } = tools
  const unknown = options.filter((option) => !known.includes(option))
  if (unknown.length > 0) throw new StartError(`There is no ${unknown.join(', ')}: use ${known.join(', ')}`)
  if (options.includes('--purge') && !options.includes('--apply'))
    throw new StartError('--purge empties the archive of applied plans: say --apply with it')
  const faults = checkResources([...definitions.values()], {
    goneResources,
    serverTables,
    widgets: widgetNames,
    icons: iconNames,
  })
  if (faults.length > 0)
    throw new StartError(`A plan is made of sound definitions: mend what \`npm run check\` says first.\n${faultReport(faults)}`)
  const { databaseUrl, dataDir } = readConfig(env)
  const database = await openDatabase({ databaseUrl, dataDir }).catch(besideServer)
  try {
    const isOld = !(await isMigrated(database, migrations).catch(() => false))
    const done = await planIn(database, options, {
      definitions,
      goneResources,
      rules,
      places,
      keptValues,
      now: new Date().toISOString(),
    })
    if (options.includes('--json')) print(JSON.stringify(done, null, 2))
    else {
      if (isOld && !options.includes('--apply'))
        print('The database lacks steps of this release: the next start does them, too.')
      print(textOf(done, options.includes('--apply')))
    }
    return done.plan.obstacles.length > 0 ? 1 : 0
  } finally {
    await database.close()
  }
}
