import { sql } from 'kysely'
import type { Queryable } from '#server/db/query.ts'
import { spanOf } from './case-sql.ts'

/** Keeps the samples of all case files that began before a time: their months are about to go. */
export async function keepSamples(db: Queryable, before: Date): Promise<void> {
  const { controlPcbId, startsAt, endsAt } = spanOf('c')
  await sql`insert into "caseSample" ("controlPcbId", "ts", "sample")
    select "t"."controlPcbId", "t"."ts", to_jsonb("t") from "case_file" "c" join "telemetry" "t"
      on "t"."controlPcbId" = ${controlPcbId}::uuid and "t"."ts" >= ${startsAt} and "t"."ts" < ${endsAt}
    where ${startsAt} < ${before} on conflict do nothing`.execute(db)
}
