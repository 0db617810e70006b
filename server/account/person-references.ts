import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** A column of a resource that references a user. */
export type PersonReference = { resource: AnyResource; column: string }

const isPerson = (definitions: Definitions, name: string) => (definitions.get(name)?.subset?.of ?? name) === 'user'

/** True for a reference to users, or to a subset of them. */
export const isPersonReference = (definitions: Definitions, field: Field): boolean =>
  field.type === 'reference' && isPerson(definitions, field.to)

/** Columns of definitions that reference a user. Tables only: views, such as the audit log, are not included. */
export async function personReferences(db: Queryable, definitions: Definitions): Promise<PersonReference[]> {
  const tables = await rowsOf(
    db,
    sql<{ name: string }>`select table_name as "name" from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  const names = new Set(tables.map(({ name }) => name))
  return [...definitions.values()]
    .filter((resource) => names.has(tableOf(resource)))
    .flatMap((resource) =>
      Object.entries(resource.fields).flatMap(([column, field]) =>
        isStored(field) && isPersonReference(definitions, field) ? [{ resource, column }] : [],
      ),
    )
}
