import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { offeredUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'
import type { WantedUpdate } from './board-update.ts'
import type { WantedConfiguration } from './simulated-board.ts'

export type Wanted = { configuration: WantedConfiguration | undefined; update: WantedUpdate | undefined }

type ConfigurationRow = { controlPcbId: string; version: number; desired: Row }

/** Configurations that their boards have neither applied nor refused. */
const waitingConfigurations = (db: Queryable) =>
  rowsOf(
    db,
    sql<ConfigurationRow>`select "c"."controlPcbId", "c"."version", "c"."desired" from "boardState" "s"
      join lateral (select * from "configuration" "c" where "c"."controlPcbId" = "s"."controlPcbId" order by "version" desc limit 1) "c" on true
      where "c"."version" > coalesce("s"."reportedVersion", 0) and "c"."version" is distinct from "s"."rejectedVersion"`,
  )

/** Pending requests for the boards; each board receives its own part when it reports. */
export async function readWanted(db: Queryable, now: Date): Promise<ReadonlyMap<string, Wanted>> {
  const wanted = new Map<string, Wanted>()
  for (const { controlPcbId, ...configuration } of await waitingConfigurations(db))
    wanted.set(controlPcbId, { configuration, update: undefined })
  for (const { controlPcbId, ...update } of await offeredUpdates(db, now))
    wanted.set(controlPcbId, { configuration: wanted.get(controlPcbId)?.configuration, update })
  return wanted
}
