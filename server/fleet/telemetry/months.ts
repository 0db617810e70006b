import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { inSchemaChange } from '#server/db/migrate.ts'
import { keptMs } from './bucket-rule.ts'

/** Start of a month in UTC, `step` months from that of `time`. */
export const monthStart = (time: Date, step = 0) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + step, 1))

const partitionOf = (month: Date) => `telemetry_${month.toISOString().slice(0, 7).replace('-', '_')}`

function monthsBetween(from: Date, to: Date): Date[] {
  const months: Date[] = []
  for (let month = monthStart(from); month <= to; month = monthStart(month, 1)) months.push(month)
  return months
}

type Pool = Pick<Database, 'pool'>
const known = new WeakMap<Database['pool'], Set<string>>()

async function makeMonths(database: Pool, months: readonly Date[]): Promise<void> {
  await inSchemaChange(database, async (client) => {
    for (const month of months) {
      const name = partitionOf(month)
      const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as "found"', [name])
      if (rows[0]?.found) continue
      // Created, then attached: creating it as a partition would lock out readers and writers of the whole table.
      await client.query(`create table "${name}" (like "telemetry" including all)`)
      const bounds = `from ('${month.toISOString()}') to ('${monthStart(month, 1).toISOString()}')`
      await client.query(`alter table "telemetry" attach partition "${name}" for values ${bounds}`)
    }
  })
}

/** Creates missing monthly partitions of `telemetry`. Must not run inside a transaction. */
export async function ensureMonths(database: Pool, from: Date, to: Date): Promise<void> {
  const made = known.get(database.pool) ?? new Set<string>()
  const missing = monthsBetween(from, to).filter((month) => !made.has(partitionOf(month)))
  if (missing.length === 0) return
  await makeMonths(database, missing)
  for (const month of missing) made.add(partitionOf(month))
  known.set(database.pool, made)
}

type OldMonth = { name: string; isAttached: boolean; isLeaving: boolean }

/** Partitions that ended before a time, including one whose detaching was interrupted. */
async function monthsBefore(client: Pick<Database['pool'], 'query'>, before: Date): Promise<OldMonth[]> {
  const { rows } = await client.query<OldMonth>(
    `select "c"."relname" as "name", "i"."inhrelid" is not null as "isAttached", coalesce("i"."inhdetachpending", false) as "isLeaving"
      from pg_class "c" left join pg_inherits "i" on "i"."inhrelid" = "c"."oid" and "i"."inhparent" = 'telemetry'::regclass
      where "c"."relkind" = 'r' and "c"."relnamespace" = current_schema()::regnamespace
        and "c"."relname" ~ '^telemetry_[0-9]{4}_[0-9]{2}$' and "c"."relname" < $1 order by 1`,
    [partitionOf(before)],
  )
  return rows
}

/** True when a month ended before a time. */
export const hasMonths = async ({ pool }: Pool, before: Date): Promise<boolean> => (await monthsBefore(pool, before)).length > 0

/**
 * Detaches a partition concurrently: a plain drop would wait for a long reader, and block everyone else meanwhile. Such a
 * statement runs outside of transactions, on a dedicated connection without timeouts.
 */
async function takeOff({ pool }: Pool, { name, isLeaving }: OldMonth): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    await client.query(`alter table "telemetry" detach partition "${name}" ${isLeaving ? 'finalize' : 'concurrently'}`)
  } finally {
    client.release(true)
  }
}

/** Drops partitions that ended before a time. Returns their names. */
export async function dropMonths(database: Pick<Database, 'pool' | 'kind'>, before: Date): Promise<string[]> {
  const months = await monthsBefore(database.pool, before)
  for (const month of months) {
    // The embedded engine has one session, so there are no concurrent readers.
    if (database.kind === 'server' && month.isAttached) await takeOff(database, month)
    await inSchemaChange(database, (client) => client.query(`drop table if exists "${month.name}"`))
    known.get(database.pool)?.delete(month.name)
  }
  return months.map(({ name }) => name)
}

/**
 * Removes samples older than 60 days, by whole months, and rows of 5 minutes and hours older than 13 months. Days stay for ever.
 * `keepSome` is told the moment before which samples go.
 */
export async function prune(database: Database, now: Date, keepSome: (before: Date) => Promise<void>): Promise<void> {
  const samplesBefore = new Date(now.getTime() - keptMs.samples)
  if (await hasMonths(database, samplesBefore)) {
    await keepSome(monthStart(samplesBefore))
    await dropMonths(database, samplesBefore)
  }
  const before = new Date(now.getTime() - keptMs.rows)
  for (const table of ['telemetry5m', 'telemetry1h'])
    await sql`delete from ${sql.table(table)} where "ts" < ${before}`.execute(database.kysely)
}
