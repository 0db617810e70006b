import { type QueryExecutorProvider, sql } from 'kysely'

/** The tables in the database's catalogue. */
export type ExistingTables = {
  /** Short column types by table and name. */
  columns: ReadonlyMap<string, ReadonlyMap<string, string>>
  views: ReadonlySet<string>
  /** Names of valid indexes. */
  indexes: ReadonlySet<string>
  /** Check constraints by name. `isKept`: validated for all rows. */
  checks: ReadonlyMap<string, { comment: string; isKept: boolean }>
}

/** Reads the catalogue of the current schema. */
export async function readExistingTables(db: QueryExecutorProvider): Promise<ExistingTables> {
  const columns = await sql<{ table: string; column: string; type: string; kind: string }>`
    select c.table_name as "table", c.column_name as "column", c.udt_name as "type", t.table_type as "kind"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() order by c.table_name, c.ordinal_position`.execute(db)
  const indexes = await sql<{ name: string }>`
    select c.relname as "name" from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and i.indisvalid`.execute(db)
  const checks = await sql<{ name: string; comment: string; isKept: boolean }>`
    select conname as "name", coalesce(obj_description(oid, 'pg_constraint'), '') as "comment", convalidated as "isKept"
    from pg_constraint where contype = 'c' and connamespace = current_schema()::regnamespace`.execute(db)
  const tables = new Map<string, Map<string, string>>()
  for (const row of columns.rows) tables.set(row.table, (tables.get(row.table) ?? new Map()).set(row.column, row.type))
  return {
    columns: tables,
    views: new Set(columns.rows.filter(({ kind }) => kind === 'VIEW').map(({ table }) => table)),
    indexes: new Set(indexes.rows.map(({ name }) => name)),
    checks: new Map(checks.rows.map(({ name, ...check }) => [name, check])),
  }
}

/** Types that can hold every value of another one. */
const wider: Readonly<Record<string, readonly string[]>> = { numeric: ['float8', 'int8'] }

export const isWider = (from: string, to: string): boolean => wider[to]?.includes(from) === true
