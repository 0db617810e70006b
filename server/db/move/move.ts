import pg, { type ClientBase } from 'pg'
import { locks } from '#server/base/advisory-locks.ts'
import { appliedMigrations, columnOf, isEmptyDatabase } from '#server/db/backup/contents.ts'
import { BackupError } from '#server/db/backup/manifest.ts'
import type { Database } from '#server/db/connect.ts'
import { type Migration, unfinishedMove } from '#server/db/migrate.ts'
import { inClientTransaction } from '#server/db/transaction.ts'
import { byForeignKeys, readTables, type Table } from './catalogue.ts'
import { copyRows, listOf } from './copy-rows.ts'

export type Move = {
  source: Database
  target: Database
  steps: readonly Migration[]
  /** Makes all tables in the target, with the mark of an unfinished move. */
  makeTables: (target: Database) => Promise<unknown>
  tell: (line: string) => void
}
export type Moved = { tables: number; rows: number }

const named = pg.escapeIdentifier

/** A target that an unfinished move has left has tables, and not one row of the product. */
async function checkTarget(client: ClientBase): Promise<void> {
  if (await isEmptyDatabase(client)) return
  const [found] = await columnOf(client, `select to_regclass('"migration"') is not null`)
  if (found === 'true' && (await appliedMigrations(client)).includes(unfinishedMove.id)) return
  const [name] = await columnOf(client, 'select current_database()')
  throw new BackupError(
    `The database ${name} of DATABASE_URL has tables, and a move overwrites nothing: create an empty one, and set DATABASE_URL to it.`,
  )
}

const startOnce = 'Start this release there once without DATABASE_URL, stop it, and move then.'

async function checkSource(client: ClientBase, steps: readonly Migration[]): Promise<void> {
  const done = await appliedMigrations(client)
  const newer = done.filter((id) => !steps.some((step) => step.id === id))
  if (newer.length > 0)
    throw new BackupError(`The data belongs to a newer release (${newer.join(', ')}): move it with that one.`)
  if (done.length < steps.length) throw new BackupError(`The data belongs to an older release. ${startOnce}`)
}

const hasRows = async (client: ClientBase, { name }: Table) =>
  (await columnOf(client, `select exists (select from ${named(name)})`))[0] === 'true'

/** Makes the partitions that the source has. */
async function makePartitions(target: ClientBase, given: readonly Table[]): Promise<void> {
  const known = new Set((await readTables(target)).map(({ name }) => name))
  for (const { name, parent, bound, options } of given) {
    if (!parent || !bound || known.has(name)) continue
    const storage = options ? ` with (${options})` : ''
    await target.query(`create table ${named(name)} partition of ${named(parent)} ${bound}${storage}`)
  }
}

/** Adds columns that no definition has any more. Returns those that differ, and those that the source lacks. */
async function matchColumns(target: ClientBase, table: Table, twin: Table): Promise<string[]> {
  const lacking = twin.columns.filter(({ name }) => !table.columns.some((own) => own.name === name))
  const differing = lacking.map(({ name }) => `${table.name}.${name}`)
  for (const { name, type } of table.columns) {
    const like = twin.columns.find((other) => other.name === name)
    if (!like) await target.query(`alter table ${named(table.name)} add column ${named(name)} ${type}`)
    else if (like.type !== type) differing.push(`${table.name}.${name}`)
  }
  return differing
}

/** Makes the tables of the target like those of the source. Returns the tables to copy. */
async function matchTables(source: ClientBase, target: ClientBase): Promise<Table[]> {
  const given = await readTables(source)
  await makePartitions(target, given)
  const made = new Map((await readTables(target)).map((table) => [table.name, table]))
  const differing = [...made.keys()].filter((name) => !given.some((table) => table.name === name))
  const tables: Table[] = []
  for (const table of given) {
    const twin = made.get(table.name)
    if (twin) {
      tables.push(table)
      differing.push(...(await matchColumns(target, table, twin)))
    } else if (await hasRows(source, table))
      throw new BackupError(`No definition has the table ${table.name}, which has rows: ask \`npm run plan\` what they are.`)
  }
  if (differing.length > 0)
    throw new BackupError(`The data does not follow the definitions of this release (${differing.join(', ')}). ${startOnce}`)
  return byForeignKeys(tables)
}

/** The number of rows, and a sum over them that does not depend on their order. */
async function sumOf(client: ClientBase, table: Table): Promise<string> {
  const [sum = ''] = await columnOf(
    client,
    `select count(*) || ' ' || coalesce(sum(('x' || left(md5(row(${listOf(table)})::text), 16))::bit(64)::int8), 0) from ${named(table.name)}`,
  )
  return sum
}

async function moveSequences(source: ClientBase, target: ClientBase): Promise<void> {
  const { rows } = await source.query<{ name: string; last: number }>(
    `select sequencename as "name", last_value as "last" from pg_sequences where schemaname = current_schema() and last_value is not null`,
  )
  for (const { name, last } of rows) await target.query('select setval($1::regclass, $2)', [named(name), last])
}

async function copyTables(source: ClientBase, target: ClientBase, tell: Move['tell']): Promise<Moved> {
  const tables = await matchTables(source, target)
  const width = Math.max(...tables.map(({ name }) => name.length))
  const differing: string[] = []
  let sum = 0
  for (const table of tables) {
    // The making of tables has written some: which steps and definitions they follow.
    if (await hasRows(target, table)) await target.query(`delete from ${named(table.name)}`)
    const line = (rows: number, so = '') => tell(`  ${table.name.padEnd(width)} ${String(rows).padStart(10)} rows${so}`)
    const rows = await copyRows({ source, target }, table, (copied) => line(copied, ' so far'))
    sum += rows
    const [given, arrived] = await Promise.all([sumOf(source, table), sumOf(target, table)])
    const isEqual = given === arrived
    if (!isEqual) differing.push(table.name)
    line(rows, isEqual ? '' : ': not the same on both sides')
  }
  if (differing.length > 0)
    throw new BackupError(`The rows of ${differing.join(', ')} are not the same on both sides. Nothing was moved.`)
  await moveSequences(source, target)
  return { tables: tables.length, rows: sum }
}

/**
 * Copies an embedded database into an empty PostgreSQL. All rows come in one transaction, which takes the mark of an unfinished
 * move away as well: until then no server starts on the target, and the next move begins again.
 */
export function moveDatabase({ source, target, steps, makeTables, tell }: Move): Promise<Moved> {
  const copy = (reading: ClientBase) =>
    inClientTransaction(target, async (writing) => {
      await checkSource(reading, steps)
      // A move that was killed may hold it until the server has noticed.
      await writing.query(`set local lock_timeout = '20s'`)
      await writing.query('select pg_advisory_xact_lock($1)', [locks.move]).catch((error: unknown) => {
        throw new BackupError('Another move writes into this database.', { cause: error })
      })
      await checkTarget(writing)
      await makeTables(target)
      return copyTables(reading, writing, tell)
    })
  return inClientTransaction(source, copy, 'begin read only')
}
