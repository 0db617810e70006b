import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { spanOf } from './case-sql.ts'

/** Case files per statement: long statements block the embedded engine. */
const atOnce = 20

/** Copies the samples of all case files that began before a time, because their months are about to be dropped. */
export async function keepSamples(db: Queryable, before: Date): Promise<void> {
  const { controlPcbId, startsAt, endsAt } = spanOf('c')
  for (let after: string | undefined = ''; after !== undefined; ) {
    const files: { id: string }[] = await rowsOf(
      db,
      sql<{
        id: string
      }>`select "id" from "case_file" "c" where "id" > ${after} and ${startsAt} < ${before} order by "id" limit ${atOnce}`,
    )
    await sql`insert into "caseSample" ("controlPcbId", "ts", "sample")
      select "t"."controlPcbId", "t"."ts", to_jsonb("t") from "case_file" "c" join "telemetry" "t"
        on "t"."controlPcbId" = ${controlPcbId}::uuid and "t"."ts" >= ${startsAt} and "t"."ts" < ${endsAt}
      where "c"."id" = any(${sql.val(files.map(({ id }) => id))}::text[]) on conflict do nothing`.execute(db)
    after = files.length === atOnce ? files.at(-1)?.id : undefined
  }
}
