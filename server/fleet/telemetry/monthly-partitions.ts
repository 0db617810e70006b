import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { Database } from '#server/db/connect.ts'
import { inSchemaChange } from '#server/db/migrate.ts'
import { rowsOf } from '#server/db/query.ts'
import { keptMs } from './bucket-rule.ts'

/** Start of a month in UTC, `step` months from that of `time`. */
export const monthStart = (time: Date, step = 0) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + step, 1))

/** Tables of a partition a month. Days are few and stay for ever: they have none. */
type MonthlyTable = 'telemetry' | RolledMonthly
type RolledMonthly = 'telemetry5m' | 'telemetry1h'
export const rolledMonthly: readonly RolledMonthly[] = ['telemetry5m', 'telemetry1h']
const monthly: readonly MonthlyTable[] = ['telemetry', ...rolledMonthly]

const nameOf = (month: Date) => month.toISOString().slice(0, 7).replace('-', '_')
const partitionOf = (table: MonthlyTable, month: Date) => `${table}_${nameOf(month)}`
/** Name of the legacy partition: rows from before partitioning. */
export const formerOf = (table: RolledMonthly, month: Date) => `${table}_until_${nameOf(month)}`

function monthsBetween(from: Date, to: Date): Date[] {
  const months: Date[] = []
  for (let month = monthStart(from); month <= to; month = monthStart(month, 1)) months.push(month)
  return months
}

type Pool = Pick<Database, 'pool'>
const known = new WeakMap<Database['pool'], Set<string>>()

type Missing = { table: MonthlyTable; month: Date }

/** True when a partition of earlier rows holds a month. */
const isFormer = async (client: ClientBase, { table, month }: Missing): Promise<boolean> => {
  const { rows } = await client.query(
    `select 1 from pg_inherits join pg_class "c" on "c"."oid" = "inhrelid" where "inhparent" = $1::regclass and "c"."relname" ~ '_until_'
      and "c"."relname" > $2`,
    [`"${table}"`, `${table}_until_${nameOf(month)}`],
  )
  return rows.length > 0
}

async function makeMonths(database: Pool, missing: readonly Missing[]): Promise<void> {
  await inSchemaChange(database, async (client) => {
    for (const one of missing) {
      const { table, month } = one
      const name = partitionOf(table, month)
      const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as "found"', [name])
      if (rows[0]?.found || (await isFormer(client, one))) continue
      // Created, then attached: creating it as a partition would lock out readers and writers of the whole table. Rolled-up rows are
      // written again while their hours are open, and find room beside them.
      await client.query(
        `create table "${name}" (like "${table}" including all)${table === 'telemetry' ? '' : ' with (fillfactor = 80)'}`,
      )
      const bounds = `from ('${month.toISOString()}') to ('${monthStart(month, 1).toISOString()}')`
      await client.query(`alter table "${table}" attach partition "${name}" for values ${bounds}`)
    }
  })
}

/** Creates missing monthly partitions of samples and of what they are rolled up to. Must not run inside a transaction. */
export async function ensurePartitions(database: Pool, from: Date, to: Date): Promise<void> {
  const made = known.get(database.pool) ?? new Set<string>()
  const months = monthsBetween(from, to)
  const missing = monthly
    .flatMap((table) => months.map((month) => ({ table, month })))
    .filter(({ table, month }) => !made.has(partitionOf(table, month)))
  if (missing.length === 0) return
  await makeMonths(database, missing)
  for (const { table, month } of missing) made.add(partitionOf(table, month))
  known.set(database.pool, made)
}

type OldMonth = { name: string; isAttached: boolean; isLeaving: boolean }

/** Partitions that ended before a time, including one whose detaching was interrupted. */
async function monthsBefore(client: Pick<Database['pool'], 'query'>, { table, before }: Ended): Promise<OldMonth[]> {
  const { rows } = await client.query<OldMonth>(
    `select "c"."relname" as "name", "i"."inhrelid" is not null as "isAttached", coalesce("i"."inhdetachpending", false) as "isLeaving"
      from pg_class "c" left join pg_inherits "i" on "i"."inhrelid" = "c"."oid" and "i"."inhparent" = $1::regclass
      where "c"."relkind" = 'r' and "c"."relnamespace" = current_schema()::regnamespace
        and ("c"."relname" ~ ('^' || $2 || '_[0-9]{4}_[0-9]{2}$') and "c"."relname" < $2 || '_' || $3
          or "c"."relname" ~ ('^' || $2 || '_until_[0-9]{4}_[0-9]{2}$') and "c"."relname" <= $2 || '_until_' || $3) order by 1`,
    [`"${table}"`, table, nameOf(before)],
  )
  return rows
}
type Ended = { table: MonthlyTable; before: Date }

/** True when a month of samples ended before a time. */
export const hasPartitions = async ({ pool }: Pool, before: Date): Promise<boolean> =>
  (await monthsBefore(pool, { table: 'telemetry', before })).length > 0

/**
 * Detaches a partition concurrently: a plain drop would wait for a long reader, and block everyone else meanwhile. Such a
 * statement runs outside of transactions, on a dedicated connection without timeouts.
 */
async function takeOff({ pool }: Pool, table: MonthlyTable, { name, isLeaving }: OldMonth): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    await client.query(`alter table "${table}" detach partition "${name}" ${isLeaving ? 'finalize' : 'concurrently'}`)
  } finally {
    client.release(true)
  }
}

type Dropping = Pick<Database, 'pool' | 'kind'>

/** Drops partitions that ended before a time. Returns their names. */
async function dropEnded(database: Dropping, ended: Ended): Promise<string[]> {
  const months = await monthsBefore(database.pool, ended)
  for (const month of months) {
    // The embedded engine has one session, so there are no concurrent readers.
    if (database.kind === 'server' && month.isAttached) await takeOff(database, ended.table, month)
    await inSchemaChange(database, (client) => client.query(`drop table if exists "${month.name}"`))
    known.get(database.pool)?.delete(month.name)
  }
  return months.map(({ name }) => name)
}

/** Drops months of samples. */
export const dropPartitions = (database: Dropping, before: Date): Promise<string[]> =>
  dropEnded(database, { table: 'telemetry', before })

/** Deletes expired rows of the legacy partition individually. */
async function deleteFormer({ kysely }: Database, { table, before }: Ended): Promise<void> {
  const former = await rowsOf(
    kysely,
    sql<{ name: string }>`select "c"."relname" as "name" from pg_inherits join pg_class "c" on "c"."oid" = "inhrelid"
      where "inhparent" = ${`"${table}"`}::regclass and "c"."relname" ~ '_until_'`,
  )
  for (const { name } of former) await sql`delete from ${sql.table(name)} where "ts" < ${before}`.execute(kysely)
}

/**
 * Removes samples older than 60 days, and rows of 5 minutes and hours older than 13 months, by whole months. Days stay for
 * ever. Calls `keepSome(before)` first, so that case files can copy samples older than `before`.
 */
export async function prune(database: Database, now: Date, keepSome: (before: Date) => Promise<void>): Promise<void> {
  const samplesBefore = new Date(now.getTime() - keptMs.samples)
  if (await hasPartitions(database, samplesBefore)) {
    await keepSome(monthStart(samplesBefore))
    await dropPartitions(database, samplesBefore)
  }
  const before = new Date(now.getTime() - keptMs.rows)
  for (const table of rolledMonthly) {
    await dropEnded(database, { table, before })
    await deleteFormer(database, { table, before })
  }
}
