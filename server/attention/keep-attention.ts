import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Chosen, type Placed, placed } from './attention-keys.ts'

/** Rows of one statement: nobody waits long for it. */
const atOnce = 5_000

/**
 * Writes the places that differ. The row's version and times stay: nothing that people wrote has changed. A row that somebody holds
 * is left for the next look, so nobody waits for another and no two hold what the other wants.
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

/** Puts boards and systems in their place after what has just been done to them, in the same transaction. */
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

/** What changes by the mere passing of time: boards fall silent, and are not seen for too long. */
export async function keepAttention({ kysely }: Database): Promise<void> {
  for (const table of ['control_pcb', 'ess'] as const) {
    for (let count = atOnce; count === atOnce; ) count = await place(kysely, table, all)
  }
}
