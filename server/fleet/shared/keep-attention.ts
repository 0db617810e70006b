import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Chosen, type Placed, placed } from './attention-keys.ts'

/** Rows per statement: small batches keep locks short. */
const atOnce = 5_000

/**
 * Writes changed priority keys without touching version and times. Skip locked: a locked row waits for the next run, so neither
 * side waits or deadlocks.
 */
async function place(db: Queryable, table: Placed, chosen: Chosen): Promise<number> {
  const { from, key } = placed[table](chosen)
  const rows = await rowsOf(
    db,
    sql`with "due" as (select "t"."id", ${key} as "key" from ${from}
        where ${chosen(sql`"t"."id"`)} and "t"."attention" is distinct from ${key} limit ${atOnce} for no key update of "t" skip locked)
      update ${sql.table(table)} "t" set "attention" = "due"."key" from "due" where "due"."id" = "t"."id" returning 1`,
  )
  return rows.length
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
    if (known.length > 0) await place(db, table, among(known))
  }
}

const all: Chosen = () => sql`true`

/** Overlap with the previous run, which may have skipped locked rows. */
const lookBackMs = minuteMs

/** Boards with a changed connection, their systems, rows with changed warnings, and rows without a key. */
const lately = (since: Date): readonly (readonly [Placed, Chosen])[] => {
  const flipped = sql`from "boardConnection" "k" join "control_pcb" "f" on "f"."id" = "k"."controlPcbId" where "k"."since" >= ${since}`
  const changed = sql`from "telemetry_warning" "c" where "c"."updatedAt" >= ${since}`
  return [
    ['control_pcb', (id) => sql`${id} in (select "f"."id" ${flipped})`],
    ['ess', (id) => sql`${id} in (select "f"."essId" ${flipped})`],
    ['control_pcb', (id) => sql`${id} in (select "c"."controlPcbId" ${changed})`],
    ['ess', (id) => sql`${id} in (select "c"."essId" ${changed})`],
    ['control_pcb', (id) => sql`${id} in (select "n"."id" from "control_pcb" "n" where "n"."attention" is null)`],
    ['ess', (id) => sql`${id} in (select "n"."id" from "ess" "n" where "n"."attention" is null)`],
  ]
}

async function placeAll(db: Queryable, table: Placed, chosen: Chosen, signal?: AbortSignal): Promise<void> {
  for (let count = atOnce; count === atOnce && !signal?.aborted; ) count = await place(db, table, chosen)
}

/**
 * Changes by time alone: silent boards, which `watchConnections` finds, and rows that were locked. The cost is proportional to
 * the number of changes.
 */
export async function followConnections({ kysely }: Database, now: Date): Promise<void> {
  for (const [table, chosen] of lately(new Date(now.getTime() - lookBackMs))) await placeAll(kysely, table, chosen)
}

/** Recomputes all priority keys: boards unseen for too long change by nothing else. */
export async function keepAttention({ kysely }: Database, signal?: AbortSignal): Promise<void> {
  for (const table of ['control_pcb', 'ess'] as const) await placeAll(kysely, table, all, signal)
}
