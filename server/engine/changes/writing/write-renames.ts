import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Changes } from '#server/engine/changes/find-changes.ts'
import { namesOfColumns } from '#server/engine/changes/renames.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** A column of another table that contains resource names. */
export type NamePlace = { table: string; column: string }

/** Generated indexes have field names in theirs: they are dropped and created again. */
async function dropMadeIndexes(db: Queryable, table: string) {
  const rows = await rowsOf(
    db,
    sql<{ name: string }>`select indexname as "name" from pg_indexes
      where schemaname = current_schema() and tablename = ${table} and indexname ~ ${`^${table}_(sort|search|set)_`}`,
  )
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db)
}

/** Renames tables, columns and derived names, and updates columns with resource names. The audit log stays as written. */
export async function writeRenames(db: Queryable, changes: Changes, places: readonly NamePlace[]): Promise<void> {
  const { existing, renames, givingWay } = changes
  const { resources, tables, columns } = renames
  const names = namesOfColumns(renames, existing)
  for (const table of givingWay) await sql`drop table ${sql.table(table)}`.execute(db)
  for (const { from } of tables) await dropMadeIndexes(db, from)
  for (const { from, to } of tables) await sql`alter table ${sql.table(from)} rename to ${sql.id(to)}`.execute(db)
  for (const table of new Set(columns.map((rename) => rename.table))) await dropMadeIndexes(db, table)
  for (const { table, from, to } of columns)
    await sql`alter table ${sql.table(table)} rename column ${sql.id(from)} to ${sql.id(to)}`.execute(db)
  for (const [from, to] of names)
    if (from !== to && existing.indexes.has(from)) await sql`alter index ${sql.id(from)} rename to ${sql.id(to)}`.execute(db)
  await renameConstraints(db, changes, names)
  for (const { from, to } of tables) await sql`update "storedFile" set "owner" = ${to} where "owner" = ${from}`.execute(db)
  for (const { table, from, to } of columns)
    await sql`update "storedFile" set "field" = ${to} where "owner" = ${table} and "field" = ${from}`.execute(db)
  for (const { from, to } of resources) {
    for (const { table, column } of places)
      await sql`update ${sql.table(table)} set ${sql.id(column)} = ${to} where ${sql.id(column)} = ${from}`.execute(db)
    await sql`delete from "appliedDefinition" where "resource" = ${from}`.execute(db)
  }
}

/** Constraints are looked up by their table, which already has its new name. */
async function renameConstraints(db: Queryable, { renamed, applied }: Changes, names: ReadonlyMap<string, string>) {
  const tables = new Set([...renamed.columns.keys(), ...[...applied.values()].map(tableOf)])
  const rows = await rowsOf(
    db,
    sql<{ name: string; table: string }>`select c.conname as "name", t.relname as "table" from pg_constraint c
      join pg_class t on t.oid = c.conrelid where c.contype = 'c' and c.connamespace = current_schema()::regnamespace`,
  )
  for (const { name, table } of rows) {
    const to = names.get(name)
    if (to && to !== name && tables.has(table))
      await sql`alter table ${sql.table(table)} rename constraint ${sql.id(name)} to ${sql.id(to)}`.execute(db)
  }
}
