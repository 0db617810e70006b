import { type RawBuilder, sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Chosen, type Placed, placed } from './attention-keys.ts'

/** Rows per statement: small batches keep locks short, and are found by the index, where a scan would read the fleet for each. */
const atOnce = 1_000
const tables: readonly Placed[] = ['control_pcb', 'ess']

/**
 * Writes changed priority keys without touching version and times. Skip locked: a locked row waits for the next run, so neither
 * side waits or deadlocks.
 */
async function place(db: Queryable, table: Placed, ids: readonly string[]): Promise<void> {
  const chosen = among(ids)
  const { from, key } = placed[table](chosen)
  await rowsOf(
    db,
    sql`with "due" as (select "t"."id", ${key} as "key" from ${from}
        where ${chosen(sql`"t"."id"`)} and "t"."attention" is distinct from ${key} for no key update of "t" skip locked)
      update ${sql.table(table)} "t" set "attention" = "due"."key" from "due" where "due"."id" = "t"."id"`,
  )
}

type Ids = readonly (string | null | undefined)[]
const among = (ids: readonly string[]): Chosen => {
  const list = sql.val(ids)
  return (id) => sql`${id} = any(${list}::text[])`
}

/** Updates the priority keys of boards and systems in the transaction of their change. */
export async function keepPlaces(db: Queryable, { boards = [], systems = [] }: { boards?: Ids; systems?: Ids }): Promise<void> {
  for (const [table, ids] of [
    ['control_pcb', boards],
    ['ess', systems],
  ] as const) {
    const known = [...new Set(ids.filter((id) => typeof id === 'string'))]
    if (known.length > 0) await place(db, table, known)
  }
}

/** Overlap with the previous run, which may have skipped locked rows. */
const lookBackMs = minuteMs

type Id = { id: string }
/** Statement that selects the ids of rows of a table. */
type Source = RawBuilder<Id>

/** Boards with a changed connection, their systems, rows with changed warnings, and rows without a key. */
const lately = (since: Date): Readonly<Record<Placed, Source>> => {
  const changed = sql`"telemetry_warning" "c" where "c"."updatedAt" >= ${since}`
  const flipped = sql`"boardConnection" "k" join "control_pcb" "f" on "f"."id" = "k"."controlPcbId" where "k"."since" >= ${since}`
  return {
    control_pcb: sql`select "f"."id" from ${flipped} union select "c"."controlPcbId" from ${changed} and "c"."controlPcbId" is not null
      union select "id" from "control_pcb" where "attention" is null`,
    ess: sql`select "f"."essId" as "id" from ${flipped} and "f"."essId" is not null
      union select "c"."essId" from ${changed} and "c"."essId" is not null union select "id" from "ess" where "attention" is null`,
  }
}

/** Reads the ids once and in order: what a batch costs does not grow with the rows that are still to come. */
async function placeAll(db: Queryable, table: Placed, source: Source, signal?: AbortSignal): Promise<void> {
  const ids = (await rowsOf(db, source)).map(({ id }) => id).toSorted()
  for (let from = 0; from < ids.length && !signal?.aborted; from += atOnce)
    await place(db, table, ids.slice(from, from + atOnce))
}

/**
 * Changes by time alone: silent boards, which `watchConnections` finds, and rows that were locked. The cost is proportional to
 * the number of changes.
 */
export async function followConnections({ kysely }: Database, now: Date): Promise<void> {
  const sources = lately(new Date(now.getTime() - lookBackMs))
  for (const table of tables) await placeAll(kysely, table, sources[table])
}

/** Recomputes all priority keys: boards unseen for too long change by nothing else. */
export async function keepAttention({ kysely }: Database, signal?: AbortSignal): Promise<void> {
  for (const table of tables) await placeAll(kysely, table, sql<Id>`select "id" from ${sql.table(table)}`, signal)
}
