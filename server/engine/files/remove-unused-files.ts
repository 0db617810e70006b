import { type RawBuilder, sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { holdsFiles } from '#schema/field-types.ts'
import { dayMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { rowsOf } from '#server/db/query.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** Time for an uploaded file's form to be saved. */
const keptMs = dayMs
/** Files per statement, which also frees their space. */
const batch = 200

/** Conditions for every field that may reference the file "f". */
function placesOf(definitions: Definitions): RawBuilder<boolean>[] {
  return [...definitions.values()].flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([name, field]) => {
      if (!holdsFiles(field) || field.derived) return []
      const column = sql.ref(`t.${name}`)
      const table = sql.table(tableOf(resource))
      return field.type === 'files'
        ? [
            sql<boolean>`exists (select 1 from ${table} as "t", jsonb_array_elements(coalesce(${column}, '[]')) as "e" where "e"->>'id' = "f"."id")`,
          ]
        : [sql<boolean>`exists (select 1 from ${table} as "t" where ${column}->>'id' = "f"."id")`]
    }),
  )
}

/**
 * Deletes unreferenced files: uploads of forms that were never saved, and files that were replaced or deleted with their
 * record. A claimed file has a fresh mark, which the statement rechecks after waiting for the claiming transaction.
 */
export async function removeUnusedFiles(
  { database, definitions }: Pick<ServerContext, 'database' | 'definitions'>,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const places = placesOf(definitions)
  const isNamed = places.length > 0 ? sql`(${sql.join(places, sql` or `)})` : sql`false`
  const before = new Date(now.getTime() - keptMs)
  const isOld = sql`greatest("f"."uploadedAt", "f"."usedAt") < ${before}`
  for (let gone = batch; gone === batch && !signal?.aborted; ) {
    const rows = await rowsOf(
      database.kysely,
      sql`delete from "storedFile" as "f" where "f"."id" in
        (select "f"."id" from "storedFile" as "f" where ${isOld} and not ${isNamed} limit ${batch}) and ${isOld} returning 1`,
    )
    gone = rows.length
  }
}
