import type { Database } from '#server/db/connect.ts'
import { inSchemaChange } from '#server/db/migrate.ts'

/** First moment of a month in UTC, `step` months away from that of `time`. */
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
      // Attached, not created as a part: that would wait for every reader and writer of the whole.
      await client.query(`create table "${name}" (like "telemetry" including all)`)
      const bounds = `from ('${month.toISOString()}') to ('${monthStart(month, 1).toISOString()}')`
      await client.query(`alter table "telemetry" attach partition "${name}" for values ${bounds}`)
    }
  })
}

/** Makes the parts of `telemetry` for these months where they are missing. Not to be called inside of a transaction. */
export async function ensureMonths(database: Pool, from: Date, to: Date): Promise<void> {
  const made = known.get(database.pool) ?? new Set<string>()
  const missing = monthsBetween(from, to).filter((month) => !made.has(partitionOf(month)))
  if (missing.length === 0) return
  await makeMonths(database, missing)
  for (const month of missing) made.add(partitionOf(month))
  known.set(database.pool, made)
}

/** The months that ended before a time, by their names. */
async function monthsBefore(client: Pick<Database['pool'], 'query'>, before: Date): Promise<{ name: string }[]> {
  const { rows } = await client.query<{ name: string }>(
    `select "c"."relname" as "name" from pg_inherits "i" join pg_class "c" on "c"."oid" = "i"."inhrelid"
      where "i"."inhparent" = 'telemetry'::regclass and "c"."relname" < $1 order by 1`,
    [partitionOf(before)],
  )
  return rows
}

/** True when a month ended before a time. */
export const hasMonths = async ({ pool }: Pool, before: Date): Promise<boolean> => (await monthsBefore(pool, before)).length > 0

/** Drops the months that ended before a time. Answers their names. */
export async function dropMonths(database: Pool, before: Date): Promise<string[]> {
  const dropped = await inSchemaChange(database, async (client) => {
    const rows = await monthsBefore(client, before)
    for (const { name } of rows) await client.query(`drop table "${name}"`)
    return rows.map(({ name }) => name)
  })
  for (const name of dropped) known.get(database.pool)?.delete(name)
  return dropped
}
