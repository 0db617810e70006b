import { sql } from 'kysely'
import { baseOf, type Definitions } from '#schema/definition.ts'
import { namesBefore } from '#schema/former-names.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Queryable } from '#server/db/query.ts'
import type { ExistingTables } from '#server/engine/sql/existing-tables.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { choicesName, columnIndexName, isSetIndex, uniqueIndexName } from '#server/engine/sql/table-plan.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { countRows } from './count-rows.ts'
import type { Obstacle } from './obstacles.ts'
import { formerTable, tableName } from './renames.ts'
import type { Step } from './steps.ts'

/** The database, and the definitions that it must follow. */
type Seen = { existing: ExistingTables; applied: AppliedDefinitions; definitions: Definitions }

/** A table that may be removed with its rows. */
export type GoneTable = { table: string; resource: string }
export type LeftTables = { obstacles: Obstacle[]; steps: Step[]; gone: GoneTable[] }

const owners = (definitions: Definitions) => [...definitions.values()].filter(({ subset }) => !subset)

/**
 * Empty tables that a start created before the definition named its former table: they are dropped in favour of the one with
 * rows.
 */
export async function supersededTables(db: Queryable, definitions: Definitions, existing: ExistingTables): Promise<string[]> {
  const found: string[] = []
  for (const resource of owners(definitions)) {
    const [table, from] = [tableOf(resource), formerTable(resource, existing)]
    if (!from || !existing.columns.has(table) || existing.views.has(table)) continue
    if ((await countRows(db, table)) === 0 && (await countRows(db, from)) > 0) found.push(table)
  }
  return found
}

/** Catalogue and definitions without these tables. */
export function withoutTables({ existing, applied }: Pick<Seen, 'existing' | 'applied'>, tables: readonly string[]) {
  const names = new Set(
    tables.flatMap((table) =>
      [...(existing.columns.get(table)?.keys() ?? [])].flatMap((column) =>
        [uniqueIndexName, columnIndexName, choicesName].map((make) => make(table, column)),
      ),
    ),
  )
  const isOther = (name: string) => !names.has(name) && !tables.some((table) => isSetIndex(table, name))
  return {
    existing: {
      ...existing,
      columns: new Map([...existing.columns].filter(([table]) => !tables.includes(table))),
      indexes: new Set([...existing.indexes].filter(isOther)),
      checks: new Map([...existing.checks].filter(([name]) => isOther(name))),
    },
    applied: new Map([...applied].filter(([, resource]) => !tables.includes(tableOf(resource)))),
  }
}

/** True when most fields have the same name and type. */
function isLike(before: AnyResource | undefined, now: AnyResource): boolean {
  const fields = Object.entries(before?.fields ?? {})
  const shared = fields.filter(([name, { type }]) => now.fields[name]?.type === type)
  return fields.length > 0 && shared.length * 2 >= fields.length
}

/** Resources that a former one may have become: similar, and without rows. */
async function heirsOf(db: Queryable, before: AnyResource | undefined, { existing, definitions }: Seen): Promise<string[]> {
  const heirs: string[] = []
  for (const resource of owners(definitions)) {
    const table = tableOf(resource)
    if (resource.was !== undefined || existing.views.has(table) || !isLike(before, resource)) continue
    if (!existing.columns.has(table) || (await countRows(db, table)) === 0) heirs.push(resource.name)
  }
  return heirs
}

/** Tables of resources without a definition, by resource name; renamed ones are no longer in `existing`. */
function leftResources({ existing, applied, definitions }: Seen): Map<string, string> {
  const planned = new Set([...definitions.values()].map(tableOf))
  const names = [...[...applied.values()].map(baseOf), ...owners(definitions).flatMap(namesBefore)]
  const tables = names.map((name): [string, string] => [name, tableName(name)])
  return new Map(tables.filter(([, table]) => existing.columns.has(table) && !existing.views.has(table) && !planned.has(table)))
}

/** Non-empty tables that no definition names. `seen`: the state after the renames. */
export async function findLeftTables(db: Queryable, seen: Seen, goneResources: readonly string[]): Promise<LeftTables> {
  const found: LeftTables = { obstacles: [], steps: [], gone: [] }
  for (const [resource, table] of leftResources(seen)) {
    const rows = await countRows(db, table)
    const about = { field: '', stored: table, rows, examples: [] }
    const heir = owners(seen.definitions).find((one) => namesBefore(one).includes(resource))
    if (rows === 0) continue
    if (heir) found.obstacles.push({ ...about, kind: 'beside', resource: heir.name })
    else if (goneResources.includes(resource)) {
      found.gone.push({ table, resource })
      found.steps.push({ kind: 'gone', resource, rows })
    } else
      found.obstacles.push({ ...about, kind: 'left', resource, heirs: await heirsOf(db, seen.applied.get(resource), seen) })
  }
  return found
}

/** Archives every value of a removable table, then drops it. */
export async function archiveTable(db: Queryable, planId: string, { table, resource }: GoneTable): Promise<void> {
  await sql`insert into "planArchive" ("planId", "resource", "field", "recordId", "value")
    select ${planId}, ${resource}, "e"."key", "t"."id", "e"."value"
    from ${sql.table(table)} as "t", jsonb_each(to_jsonb("t".*)) as "e"
    where "e"."key" <> 'id' and "e"."value" <> 'null'::jsonb`.execute(db)
  await sql`drop table ${sql.table(table)}`.execute(db)
  await sql`delete from "appliedDefinition" where "resource" = ${resource}
    or "definition"->'subset'->>'of' = ${resource}`.execute(db)
}
