import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { takeLockOf } from '#server/base/advisory-locks.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Catalog } from '#server/engine/records/catalog.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

type Asked = { fields: Fields; values: Row; record: Row }

/** A reference to the own table whose records form a tree. */
export function isTree(field: Field | undefined, table: string, definitions: Definitions): boolean {
  if (field?.type !== 'reference' || field.circular) return false
  const target = definitions.get(field.to)
  return target !== undefined && tableOf(target) === table
}

const treeFields = ({ definitions }: Catalog, table: string, fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (isStored(field) && isTree(field, table, definitions) ? [name] : []))

type Move = { id: string; parent: string }

/**
 * Records that the moves would make their own ancestors; those of an import have no row yet. `union` ends the recursion at an
 * existing cycle. Moves within one tree are serialised: two that are each valid may close a cycle together.
 */
async function inCircles(table: string, name: string, moves: readonly Move[], work: Work): Promise<ReadonlySet<string>> {
  if (moves.length === 0) return new Set()
  await takeLockOf(work.db, 'tree', `tree ${table}.${name}`)
  const parent = sql`coalesce("m"."parent", "t".${sql.id(name)})`
  const found = await rowsOf(
    work.db,
    sql<{ id: string }>`with recursive "moves" as (
        select * from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as "move"("id" text, "parent" text)),
      "up"("from", "id") as (
        select "id", "parent" from "moves"
        union
        select "up"."from", ${parent} from "up" left join ${sql.table(table)} as "t" on "t"."id" = "up"."id"
          left join "moves" as "m" on "m"."id" = "up"."id" where ${parent} is not null)
      select distinct "from" as "id" from "up" where "from" = "id"`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Faults by id for a batch of changes: every reference that would make a record its own ancestor. */
export async function cyclesAmong(
  catalog: Catalog,
  resource: AnyResource,
  { fields, changes }: { fields: Fields; changes: readonly { id: unknown; values: Row }[] },
  work: Work,
): Promise<ReadonlyMap<string, Fault[]>> {
  const table = tableOf(resource)
  const faults = new Map<string, Fault[]>()
  for (const name of treeFields(catalog, table, fields)) {
    const moves = changes.flatMap(({ id, values: { [name]: parent } }): Move[] =>
      typeof id === 'string' && typeof parent === 'string' ? [{ id, parent }] : [],
    )
    for (const id of await inCircles(table, name, moves, work))
      faults.set(id, [...(faults.get(id) ?? []), { path: name, code: 'circle' }])
  }
  return faults
}

/** A fault for every reference that would make a record its own ancestor. A new record has no descendants. */
export async function cycleFaults(
  catalog: Catalog,
  resource: AnyResource,
  { fields, values, record: { id } }: Asked,
  work: Work,
): Promise<Fault[]> {
  const faults = await cyclesAmong(catalog, resource, { fields, changes: [{ id, values }] }, work)
  return faults.get(String(id)) ?? []
}
