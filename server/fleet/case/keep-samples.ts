import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import type { Segment } from '#server/fleet/telemetry/windows.ts'
import { spanOf } from './case-sql.ts'

/** Case files per statement: long statements block the embedded engine. */
const atOnce = 20

/** Copies the samples of all case files that began before a time, because their months are about to be dropped. */
export async function keepSamples(db: Queryable, before: Date): Promise<void> {
  const { controlPcbId, startsAt, endsAt } = spanOf('c')
  for (let after: string | undefined = ''; after !== undefined; ) {
    const files: (Segment & { id: string })[] = await rowsOf(
      db,
      sql<Segment & { id: string }>`select "id", ${controlPcbId} as "controlPcbId", ${startsAt} as "from", ${endsAt} as "to"
        from "case_file" "c" where "id" > ${after} and ${startsAt} < ${before} order by "id" limit ${atOnce}`,
    )
    await telemetryStore.keep(db, files)
    after = files.length === atOnce ? files.at(-1)?.id : undefined
  }
}
