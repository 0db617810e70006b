import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/**
 * Locks the memories of boards until the transaction ends, in the order of their ids: their frames under way are stored before,
 * and later ones wait. Ingest takes these locks first of all, so take them before any other lock on the boards.
 */
export async function holdFramesOf(db: Queryable, boards: readonly unknown[]): Promise<void> {
  await rowsOf(
    db,
    sql`insert into "boardMemory" ("controlPcbId") select "id" from "control_pcb" where "id" = any(${sql.val(boards)}::text[]) order by "id"
      on conflict ("controlPcbId") do update set "controlPcbId" = excluded."controlPcbId"`,
  )
}
