import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** The definitions by which the tables were last aligned, by name; those of resources that are gone stay. */
export type AppliedDefinitions = ReadonlyMap<string, AnyResource>

const isDefinition = (value: unknown): value is AnyResource => isObject(value) && isObject(value.fields)

/** None on a database of a release that kept none. */
export async function readApplied(db: Queryable): Promise<AppliedDefinitions> {
  const [table] = await rowsOf(db, sql<{ found: boolean }>`select to_regclass('"appliedDefinition"') is not null as "found"`)
  if (!table?.found) return new Map()
  const rows = await rowsOf(
    db,
    sql<{ resource: string; definition: unknown }>`select "resource", "definition" from "appliedDefinition"`,
  )
  return new Map(rows.flatMap(({ resource, definition }) => (isDefinition(definition) ? [[resource, definition]] : [])))
}

/** Keeps the definitions as those that the tables stand by now. */
export async function writeApplied(db: Queryable, definitions: Definitions, known: AppliedDefinitions): Promise<void> {
  for (const [name, definition] of definitions) {
    const text = JSON.stringify(definition)
    if (text === JSON.stringify(known.get(name))) continue
    await sql`insert into "appliedDefinition" ("resource", "definition") values (${name}, ${text}::json)
      on conflict ("resource") do update set "definition" = excluded."definition", "at" = now()`.execute(db)
  }
}
