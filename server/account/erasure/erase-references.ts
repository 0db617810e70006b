import { sql } from 'kysely'
import { type Definitions, summaryKey } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import {
  isPersonReference,
  nestedPersonReferences,
  personReferences,
  type StoredColumn,
  storedColumns,
} from '#server/account/person-references.ts'
import type { Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** A person who is erased: the id, and the names under which texts were written. */
export type Gone = { id: string; names: readonly string[] }

type Erasing = { definitions: Definitions; gone: Gone }

/** Parts of a group or item without the people. A text named like a reference's summary is the person's name. */
function partsWithout(fields: Fields, parts: Row, erasing: Erasing): Row {
  const { definitions, gone } = erasing
  const left: Row = { ...parts }
  for (const [name, field] of Object.entries(fields)) {
    if (parts[name] !== undefined) left[name] = valueWithout(field, parts[name], erasing)
    if (!isPersonReference(definitions, field)) continue
    const beside = summaryKey(name)
    const isTheirs = gone.id === parts[name]
    // Items older than the reference have only the name.
    const isByName = (parts[name] ?? null) === null && gone.names.some((one) => one === parts[beside])
    if (fields[beside] && (isTheirs || isByName)) left[beside] = null
  }
  return left
}

function valueWithout(field: Field, value: unknown, erasing: Erasing): unknown {
  const isGone = (one: unknown) => one === erasing.gone.id
  if (field.type === 'reference') return isPersonReference(erasing.definitions, field) && isGone(value) ? null : value
  if (field.type === 'references' && Array.isArray(value)) return value.filter((one) => !isGone(one))
  if (field.type === 'group' && isObject(value)) return partsWithout(field.fields, { ...value }, erasing)
  if (field.type === 'list' && Array.isArray(value))
    return value.map((item: unknown) => (isObject(item) ? partsWithout(field.fields, { ...item }, erasing) : item))
  return value
}

async function eraseInside(db: Queryable, { resource, column, field }: StoredColumn, erasing: Erasing): Promise<Change[]> {
  const table = sql.table(tableOf(resource))
  const { id: gone, names } = erasing.gone
  const words = [gone, ...names].map((word) => JSON.stringify(word))
  const rows = await rowsOf(
    db,
    sql<{ id: string; version: number; value: unknown }>`select "id", "version", ${sql.id(column)} as "value" from ${table}
      where exists (select 1 from unnest(${sql.val(words)}::text[]) as "w" ("word")
        where strpos(${sql.id(column)}::text, "w"."word") > 0) for update`,
  )
  const changes: Change[] = []
  for (const { id, version, value } of rows) {
    const left = valueWithout(field, value, erasing)
    if (JSON.stringify(left) === JSON.stringify(value)) continue
    changes.push({ resource: resource.name, id, version: version + 1, type: 'updated' })
    await sql`update ${table} set ${sql.id(column)} = ${JSON.stringify(left)}::jsonb, "version" = "version" + 1
      where "id" = ${id}`.execute(db)
  }
  return changes
}

/** Columns that are null where nobody has done it: emptied instead. */
const saysThat: ReadonlySet<string> = new Set(['deviceKey.nextBy'])

type IdColumn = { table: string; column: string; isNullable: boolean }

/** Columns that by their name hold the id of a user; the audit log keeps its actors. */
const idColumns = (db: Queryable) =>
  rowsOf(
    db,
    sql<IdColumn>`select c.table_name as "table", c.column_name as "column",
        c.is_nullable = 'YES' as "isNullable"
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.data_type = 'text'
        and c.table_name <> 'auditLog' and (c.column_name in ('userId', 'actorId') or c.column_name like '%By')
      order by c.table_name, c.column_name`,
  )

/** Where people are referenced: columns, values inside of groups and lists, and columns of tables that no definition describes. */
export type Places = { references: StoredColumn[]; nested: StoredColumn[]; plain: IdColumn[] }

export async function placesOfPeople(db: Queryable, definitions: Definitions): Promise<Places> {
  const columns = await storedColumns(db, definitions)
  return {
    references: personReferences(definitions, columns),
    nested: nestedPersonReferences(definitions, columns),
    plain: await idColumns(db),
  }
}

/**
 * Erases references to a person inside of groups and lists, and in the tables that no definition describes. Rows with the `userId`
 * are deleted. A full scan of each table. Answers the records that have changed.
 */
export async function eraseReferences(db: Queryable, { nested, plain }: Places, erasing: Erasing): Promise<Change[]> {
  const changes: Change[] = []
  for (const column of nested) changes.push(...(await eraseInside(db, column, erasing)))
  const { id } = erasing.gone
  for (const { table, column, isNullable } of plain) {
    const [from, at] = [sql.table(table), sql.id(column)]
    if (column === 'userId') await sql`delete from ${from} where ${at} = ${id}`.execute(db)
    else {
      const nobody = isNullable && !saysThat.has(`${table}.${column}`) ? sql`null` : sql`''`
      await sql`update ${from} set ${at} = ${nobody} where ${at} = ${id}`.execute(db)
    }
  }
  return changes
}
