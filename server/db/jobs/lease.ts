import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'

/** Name of the background jobs' lease. */
export const jobsLease = 'jobs'

/**
 * Start of the current period of background work. A gap of more than a minute starts a new one: no server ran, or none reached
 * its database, and board reports of the gap are unknown. So does a clock that is set back. Null while no server does the work.
 */
export const jobsSince = sql`(select "heldSince" from "lease" where "name" = ${sql.lit(jobsLease)})`

/**
 * Held lease. One that ends later than any life lasts was taken while the clock was ahead: its holder, if it still lives, renews it
 * by the present time, or finds within seconds that another process has taken it.
 */
export const isHeld = sql`"lease"."expiresAt" between clock_timestamp() and clock_timestamp() + interval '1 minute'`

/**
 * True while some server runs the background jobs, or one did within `latelyMs`: one server per database holds the lease and releases it on
 * stop.
 */
export async function hasJobRunner(db: Queryable, latelyMs = 0): Promise<boolean> {
  const table = await rowOf(db, sql<{ found: boolean }>`select to_regclass('"lease"') is not null as "found"`)
  if (!table?.found) return false
  const wasHeld = sql`"lease"."expiresAt" between clock_timestamp() - make_interval(secs => ${latelyMs / 1000}) and clock_timestamp()`
  const held = sql`select 1 from "lease" where "name" = ${jobsLease} and (${isHeld} or ${wasHeld})`
  return (await rowOf(db, held)) !== undefined
}

export type LeaseFacts = { name: string; lifeMs: number }

/**
 * A lease on a kind of work, held by one process at a time and renewed within `lifeMs`; after that another process may take it.
 * The database's clock counts, so clocks of processes may differ.
 */
export class Lease {
  readonly #database: Pick<Database, 'kysely'>
  readonly #facts: LeaseFacts
  readonly #holder = uuidv7()

  constructor(database: Pick<Database, 'kysely'>, facts: LeaseFacts) {
    this.#database = database
    this.#facts = facts
  }

  /** Takes or renews the lease. False while another process holds it. */
  async take(db: Queryable = this.#database.kysely): Promise<boolean> {
    const { name, lifeMs } = this.#facts
    const row = await rowOf(
      db,
      sql`insert into "lease" ("name", "holder", "expiresAt")
        values (${name}, ${this.#holder}, clock_timestamp() + make_interval(secs => ${lifeMs / 1000}))
        on conflict ("name") do update set "holder" = excluded."holder", "expiresAt" = excluded."expiresAt", "heldSince" = case
          when "lease"."expiresAt" between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute'
          then "lease"."heldSince" else clock_timestamp() end
          where "lease"."holder" = excluded."holder" or not (${isHeld}) returning "name"`,
    )
    return row !== undefined
  }

  /** Releases the lease for others at once. */
  async release(): Promise<void> {
    await sql`update "lease" set "expiresAt" = clock_timestamp() - interval '1 ms'
      where "name" = ${this.#facts.name} and "holder" = ${this.#holder}`.execute(this.#database.kysely)
  }
}
