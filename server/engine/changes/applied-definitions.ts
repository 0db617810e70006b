import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** The definitions to which the tables were last aligned, by name; those of removed resources are kept. */
export type AppliedDefinitions = ReadonlyMap<string, AnyResource>

const isDefinition = (value: unknown): value is AnyResource => isObject(value) && isObject(value.fields)

/** Empty for a database of a release that did not store them. */
export async function readApplied(db: Queryable): Promise<AppliedDefinitions> {
  const [table] = await rowsOf(db, sql<{ found: boolean }>`select to_regclass('"appliedDefinition"') is not null as "found"`)
  if (!table?.found) return new Map()
  const rows = await rowsOf(
    db,
    sql<{ resource: string; definition: unknown }>`select "resource", "definition" from "appliedDefinition"`,
  )
  return new Map(rows.flatMap(({ resource, definition }) => (isDefinition(definition) ? [[resource, definition]] : [])))
}

/** Stores the definitions to which the tables are now aligned. */
export async function writeApplied(db: Queryable, definitions: Definitions, known: AppliedDefinitions): Promise<void> {
  for (const [name, definition] of definitions) {
    const text = JSON.stringify(definition)
    if (text === JSON.stringify(known.get(name))) continue
    await sql`insert into "appliedDefinition" ("resource", "definition") values (${name}, ${text}::json)
      on conflict ("resource") do update set "definition" = excluded."definition", "at" = now()`.execute(db)
  }
}
