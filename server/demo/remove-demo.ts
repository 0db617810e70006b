import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Catalog, familyOf } from '#server/engine/records/catalog.ts'
import { columnsReferringTo } from '#server/engine/records/uses/reference-columns.ts'
import { forgetPlan } from './fleet-plan.ts'

/** Tables with tagged records, and the column by which dependent rows reference one. */
const owners = {
  user: 'userId',
  ess: 'essId',
  control_pcb: 'controlPcbId',
  firmware: 'firmwareId',
  ess_model: 'essModelId',
} as const
type Owner = keyof typeof owners
const ownerTables = Object.keys(owners) as Owner[]
const isOwner = (table: string): table is Owner => Object.hasOwn(owners, table)

/** Ids of tagged records, in the type of the referencing column. */
const tagged = (table: Owner, type = 'text') => sql`(select "id"::${sql.id(type)} from "demoRecord" where "table" = ${table})`

type Dependent = { table: string; column: string; type: string }

/** Tables with rows that belong to an owner's record and are deleted with it. */
const dependentsOf = (db: Queryable, column: string): Promise<Dependent[]> =>
  rowsOf(
    db,
    sql<Dependent>`select c.table_name as "table", c.column_name as "column", c.udt_name as "type" from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.column_name = ${column}`,
  )

async function baseTables(db: Queryable): Promise<Set<string>> {
  const rows = await rowsOf(
    db,
    sql<{ name: string }>`select table_name as "name" from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  return new Set(rows.map(({ name }) => name))
}

const mention = (table: string, column: string, owner: Owner) =>
  sql`update ${sql.table(table)} set ${sql.id(column)} = null, "version" = "version" + 1
    where ${sql.id(column)} in ${tagged(owner)}`

async function clear(db: Queryable, catalog: Catalog, owner: Owner, tables: ReadonlySet<string>): Promise<void> {
  for (const { table, column, type } of await dependentsOf(db, owners[owner])) {
    if (isOwner(table)) await mention(table, column, owner).execute(db)
    else await sql`delete from ${sql.table(table)} where ${sql.id(column)} in ${tagged(owner, type)}`.execute(db)
  }
  const resource = resourceOf(catalog.definitions, owner)
  for (const { table, column, holds } of resource ? columnsReferringTo(catalog, resource) : []) {
    // Ids in lists stay: an emptied list has another meaning in some records. So do ids in groups, whose parts belong together.
    const isDone = column === owners[owner] || holds !== 'one'
    if (!isDone && tables.has(table)) await mention(table, column, owner).execute(db)
  }
}

const resourceOf = (definitions: Definitions, owner: Owner) => definitions.get(owner.replaceAll('_', '-'))

export async function countDemo(db: Queryable): Promise<Record<Exclude<Owner, 'ess_model'>, number>> {
  const rows = await rowsOf(
    db,
    sql<{ table: string; count: number }>`select "table", count(*) as "count" from "demoRecord" group by "table"`,
  )
  const count = (table: Owner) => rows.find((row) => row.table === table)?.count ?? 0
  return { user: count('user'), ess: count('ess'), control_pcb: count('control_pcb'), firmware: count('firmware') }
}

/**
 * Deletes all tagged records with their dependents, and clears references in other records. Returns the names of changed
 * resources.
 */
export async function removeDemo(db: Queryable, catalog: Catalog): Promise<string[]> {
  const tables = await baseTables(db)
  // A non-demo board at a demo system returns to stock.
  await sql`update "control_pcb" set "role" = null, "moduleIndex" = null where "essId" in ${tagged('ess')}`.execute(db)
  for (const owner of ownerTables) await clear(db, catalog, owner, tables)
  for (const owner of ownerTables) await sql`delete from ${sql.table(owner)} where "id" in ${tagged(owner)}`.execute(db)
  await sql`delete from "demoRecord"`.execute(db)
  await forgetPlan(db)
  return ownerTables.flatMap((owner) => {
    const resource = resourceOf(catalog.definitions, owner)
    return resource ? familyOf(catalog, resource).map(({ name }) => name) : []
  })
}
