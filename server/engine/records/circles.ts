import { sql } from 'kysely'
import type { Fault } from '#schema/faults.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { rowOf, rowsOf } from '#server/db/query.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import type { Catalog } from './catalog.ts'
import type { Row, Work } from './resource-rules.ts'

type Asked = { fields: Fields; values: Row; record: Row }

/** Fields that make a tree of a table: references to its own records. */
const treeFields = (catalog: Catalog, table: string, fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const target = field.type === 'reference' ? catalog.definitions.get(field.to) : undefined
    const isTree = field.type === 'reference' && !field.circular && isStored(field)
    return isTree && target && tableOf(target) === table ? [name] : []
  })

/** Walks up from the new parent. `union` ends the walk at a circle that is there already. */
async function isBelow(table: string, name: string, { parent, id }: { parent: string; id: string }, work: Work) {
  const found = await rowOf(
    work.db,
    sql`with recursive "up"("id") as (
        select ${parent}::text
        union
        select "t".${sql.id(name)} from ${sql.table(table)} as "t" join "up" on "t"."id" = "up"."id"
          where "t".${sql.id(name)} is not null)
      select 1 from "up" where "id" = ${id}`,
  )
  return found !== undefined
}

/**
 * A fault for every reference that would make a record its own ancestor. Changes of one tree wait for one another: two of them
 * that are sound alone may close a circle together.
 */
export async function circleFaults(
  catalog: Catalog,
  resource: AnyResource,
  { fields, values, record }: Asked,
  work: Work,
): Promise<Fault[]> {
  const table = tableOf(resource)
  const faults: Fault[] = []
  for (const name of treeFields(catalog, table, fields)) {
    const [parent, id] = [values[name], record.id]
    // A new record has nothing below it.
    if (typeof parent !== 'string' || typeof id !== 'string') continue
    await rowsOf(work.db, sql`select pg_advisory_xact_lock(hashtextextended(${`tree ${table}.${name}`}, 0))`)
    if (await isBelow(table, name, { parent, id }, work)) faults.push({ path: name, code: 'circle' })
  }
  return faults
}
