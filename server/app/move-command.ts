import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { dayMs } from '#schema/format/durations.ts'
import { type Config, keyFileName, readConfig } from '#server/base/config.ts'
import { explained, StartError } from '#server/base/start-error.ts'
import { databaseFolder } from '#server/db/backup/backup-socket.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { refreshStatistics } from '#server/db/maintenance.ts'
import { migrate, unfinishedMove } from '#server/db/migrate.ts'
import { moveDatabase } from '#server/db/move/move.ts'
import { prepareTables } from '#server/engine/changes/prepare-tables.ts'
import { migrations } from './migrations.ts'
import { rulesByResource } from './rules.ts'

/** Statements read and write whole tables. */
const limits = { statementTimeoutMs: 7 * dayMs, idleTransactionMs: 7 * dayMs }

type Place = Pick<Config, 'dataDir'> & { databaseUrl: string }

function placeOf({ dataDir, databaseUrl }: Config): Place {
  if (!databaseUrl)
    throw new StartError('Set DATABASE_URL to an empty PostgreSQL database: `DATABASE_URL=postgres://… npm run move`.')
  if (!existsSync(databaseFolder(dataDir)))
    throw new StartError(`There is no embedded database in ${resolve(dataDir)}: set DATA_DIR to the folder of the server.`)
  return { dataDir, databaseUrl }
}

/** Next steps of an operator. The key itself is never printed. */
function nextSteps({ dataDir, secretsKey }: Config): string[] {
  const keyFile = join(resolve(dataDir), keyFileName)
  const isInFile = existsSync(keyFile)
  const fromFile = `set SECRETS_KEY to the content of ${keyFile}: without it second factors, webhooks and mailed links stay sealed`
  const kept = isInFile ? `, and ${keyFile} for the first start, which seals by SECRETS_KEY what that key has sealed` : ''
  const key = isInFile && !secretsKey ? fromFile : `keep the SECRETS_KEY of this folder's server, if it had one${kept}`
  return [
    'Start every server with this DATABASE_URL from now on.',
    `For all of them ${key}.`,
    `${resolve(dataDir)} is as it was: take its outbox/ along to another DATA_DIR, and delete its database/ when you are sure.`,
  ]
}

/** All tables of this release, with the mark of an unfinished move. */
export async function makeTables(target: Database): Promise<void> {
  await migrate(target, [...migrations, unfinishedMove]).catch(explained)
  await prepareTables(target, definitionsOf(resources), rulesByResource)
}

/** `move`: copies the embedded database of DATA_DIR, which no server has open, into the empty one of DATABASE_URL. */
export async function runMove(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<void> {
  if (options.length > 0) throw new StartError('`npm run move` has no options: it reads DATA_DIR and writes into DATABASE_URL.')
  const config = readConfig(env)
  const { dataDir, databaseUrl } = placeOf(config)
  const source = await openDatabase({ ...limits, dataDir }).catch(explained)
  try {
    const target = await openDatabase({ ...limits, dataDir, databaseUrl, hasPipeline: false }).catch(explained)
    try {
      const { tables, rows } = await moveDatabase({ source, target, steps: migrations, makeTables, tell: print })
      await refreshStatistics(target)
      print([`Moved and verified ${tables} tables, ${rows} rows.`, ...nextSteps(config)].join('\n'))
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
