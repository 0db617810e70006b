import { type RawBuilder, sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { holdsFiles } from '#schema/field-types.ts'
import { dayMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { readExistingTables } from '#server/engine/sql/existing-tables.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** Time for an uploaded file's form to be saved. */
const keptMs = dayMs
/** Files per statement, which also frees their space. */
const batch = 200

type HasColumn = (table: string, column: string) => boolean

/** A field of a record that exists names the file "f". */
function isNamedBy(definitions: Definitions, hasColumn: HasColumn = () => true): RawBuilder<boolean> {
  const places = [...definitions.values()].flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([name, field]) => {
      if (!holdsFiles(field) || field.derived || !hasColumn(tableOf(resource), name)) return []
      const column = sql.ref(`t.${name}`)
      const table = sql.table(tableOf(resource))
      return field.type === 'files'
        ? [
            sql<boolean>`exists (select 1 from ${table} as "t", jsonb_array_elements(coalesce(${column}, '[]')) as "e" where "e"->>'id' = "f"."id")`,
          ]
        : [sql<boolean>`exists (select 1 from ${table} as "t" where ${column}->>'id' = "f"."id")`]
    }),
  )
  return places.length > 0 ? sql`(${sql.join(places, sql` or `)})` : sql`false`
}

/** Ids of archived files: a field is a file or a list of them, and no part of a group. */
const archivedIds = sql`select "id" #>> '{}' from "planArchive" as "a", jsonb_path_query("a"."value", 'lax $."id"') as "id"
  where jsonb_typeof("a"."value") in ('object', 'array') and jsonb_typeof("id") = 'string'`

/**
 * Deletes unreferenced files: uploads of forms that were never saved, and files that were replaced or deleted with their
 * record. Those of values that an applied plan took away stay as long as the archive. A claimed file has a fresh mark, which
 * the statement rechecks after waiting for the claiming transaction.
 */
export async function removeUnusedFiles(
  { database, definitions }: Pick<ServerContext, 'database' | 'definitions'>,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const isNamed = isNamedBy(definitions)
  const before = new Date(now.getTime() - keptMs)
  const isOld = sql`greatest("f"."uploadedAt", "f"."usedAt") < ${before}`
  for (let gone = batch; gone === batch && !signal?.aborted; ) {
    const rows = await rowsOf(
      database.kysely,
      sql`delete from "storedFile" as "f" where "f"."id" in
        (select "f"."id" from "storedFile" as "f" where ${isOld} and not ${isNamed}
          and "f"."id" not in (${archivedIds}) limit ${batch}) and ${isOld} returning 1`,
    )
    gone = rows.length
  }
}

/** Ids of the stored files that archived values name. */
export async function archivedFiles(db: Queryable): Promise<string[]> {
  const rows = await rowsOf(db, sql<{ id: string }>`select "id" from "storedFile" where "id" in (${archivedIds})`)
  return rows.map(({ id }) => id)
}

/** Deletes files whose values were purged from the archive, unless a record or a later plan still names them. */
export async function removePurgedFiles(db: Queryable, definitions: Definitions, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { columns } = await readExistingTables(db)
  const isNamed = isNamedBy(definitions, (table, column) => columns.get(table)?.has(column) === true)
  for (let at = 0; at < ids.length; at += batch)
    await sql`delete from "storedFile" as "f"
    where "f"."id" = any(${sql.val(ids.slice(at, at + batch))}::text[]) and not ${isNamed} and "f"."id" not in (${archivedIds})`.execute(
      db,
    )
}
