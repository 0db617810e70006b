import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { boardConnection } from '#server/fleet/shared/connection-sql.ts'

type Flip = {
  id: string
  version: number
  essId: string | null
  essVersion: number | null
  state: string
  before: string | null
}

const changesOf = ({ id, version, essId, essVersion }: Flip): Change[] => [
  { resource: 'control-pcb', id, version, type: 'updated' },
  ...(essId ? [{ resource: 'ess', id: essId, version: essVersion ?? 1, type: 'updated' as const }] : []),
]

/** Boards become stale or offline by time alone, without a write. This sweep detects, announces and counts the changes. */
export function watchConnections(database: Database, now: Date): Promise<number> {
  return inTransaction(database, async (db) => {
    const flips = await rowsOf(
      db,
      sql<Flip>`select "b"."id", "b"."version", "b"."essId", "e"."version" as "essVersion", ${boardConnection} as "state", "k"."state" as "before"
        from "control_pcb" "b" left join "ess" "e" on "e"."id" = "b"."essId" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"
        left join "boardConnection" "k" on "k"."controlPcbId" = "b"."id" where "k"."state" is distinct from ${boardConnection}`,
    )
    if (flips.length === 0) return 0
    await sql`insert into "boardConnection" ("controlPcbId", "state", "since")
      select "u"."id", "u"."state", ${now}::timestamptz from unnest(${sql.val(flips.map(({ id }) => id))}::text[], ${sql.val(flips.map(({ state }) => state))}::text[])
        as "u" ("id", "state") on conflict ("controlPcbId") do update set "state" = excluded."state", "since" = excluded."since"`.execute(
      db,
    )
    // The first sweep has nothing to compare with.
    const known = flips.filter(({ before }) => before !== null)
    await addEvents(db, known.flatMap(changesOf), now)
    return known.length
  })
}
