import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { systemFields } from '#schema/resource.ts'
import type { RulesByResource } from './field-sql.ts'
import { type Column, choicesName, type Index, planTables, type TablePlan } from './table-plan.ts'

/** Applied SQL, and differences that were left unchanged. */
export type Derived = { applied: string[]; drift: string[] }

type Existing = {
  columns: Map<string, Map<string, string>>
  views: Set<string>
  indexes: Set<string>
  checks: Map<string, string>
}

const pairs = <T extends { key: string; value: string }>(rows: readonly T[]) =>
  new Map(rows.map(({ key, value }) => [key, value]))

async function readExisting(db: QueryExecutorProvider): Promise<Existing> {
  const columns = await sql<{ table: string; column: string; type: string; kind: string }>`
    select c.table_name as "table", c.column_name as "column", c.udt_name as "type", t.table_type as "kind"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema()`.execute(db)
  const indexes = await sql<{
    name: string
  }>`select indexname as "name" from pg_indexes where schemaname = current_schema()`.execute(db)
  const checks = await sql<{ key: string; value: string }>`
    select conname as "key", coalesce(obj_description(oid, 'pg_constraint'), '') as "value"
    from pg_constraint where contype = 'c' and connamespace = current_schema()::regnamespace`.execute(db)
  const tables = new Map<string, Map<string, string>>()
  for (const row of columns.rows) tables.set(row.table, (tables.get(row.table) ?? new Map()).set(row.column, row.type))
  return {
    columns: tables,
    views: new Set(columns.rows.filter(({ kind }) => kind === 'VIEW').map(({ table }) => table)),
    indexes: new Set(indexes.rows.map(({ name }) => name)),
    checks: pairs(checks.rows),
  }
}

const systemColumns = sql.raw(`
  "id" text primary key,
  "version" int4 not null default 1,
  "createdAt" timestamptz(3) not null default now(),
  "createdBy" text,
  "updatedAt" timestamptz(3) not null default now(),
  "updatedBy" text`)

// Moments travel with milliseconds; finer ones would not be found again by what was read.
const typeText = (type: string) => sql.raw(type === 'timestamptz' ? 'timestamptz(3)' : type)

/** A constant default fills the rows that are there already, without a rewrite of the table. */
function defaultText({ field, type }: Column): RawBuilder<unknown> {
  const value: unknown = 'default' in field ? field.default : undefined
  if (value === undefined || value === null) return sql``
  return type === 'jsonb' ? sql` default ${sql.lit(JSON.stringify(value))}` : sql` default ${sql.lit(value)}`
}

/** Types that hold every value of another one. */
const wider: Readonly<Record<string, readonly string[]>> = { numeric: ['float8', 'int8'] }
const isWider = (from: string, to: string) => wider[to]?.includes(from) === true

class Applying {
  readonly done: Derived = { applied: [], drift: [] }
  readonly db: QueryExecutorProvider
  readonly existing: Existing

  constructor(db: QueryExecutorProvider, existing: Existing) {
    this.db = db
    this.existing = existing
  }

  async run(statement: RawBuilder<unknown>) {
    await statement.execute(this.db)
    this.done.applied.push(statement.compile(this.db).sql.replace(/\s+/g, ' ').trim())
  }

  /** Runs what data that is there may refuse; then it is reported and the start goes on. */
  async attempt(what: string, statement: RawBuilder<unknown>) {
    await sql`savepoint "derive"`.execute(this.db)
    try {
      await this.run(statement)
      await sql`release savepoint "derive"`.execute(this.db)
    } catch (error) {
      await sql`rollback to savepoint "derive"`.execute(this.db)
      this.done.drift.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async columns({ table, columns }: TablePlan, have: ReadonlyMap<string, string> | undefined) {
    for (const [name, column] of columns) {
      const type = have?.get(name)
      if (type === undefined) {
        await this.run(
          sql`alter table ${sql.table(table)} add column ${sql.id(name)} ${typeText(column.type)}${defaultText(column)}`,
        )
      } else if (isWider(type, column.type)) await this.widen(table, name, column)
      else if (type !== column.type) this.done.drift.push(`${table}.${name} is ${type}, defined as ${column.type}`)
      if (type === undefined || type === column.type || isWider(type, column.type)) await this.choices(table, name, column)
    }
    const defined = (name: string) => columns.has(name) || Object.hasOwn(systemFields, name)
    for (const name of have?.keys() ?? []) if (!defined(name)) this.done.drift.push(`${table}.${name} is in the database only`)
  }

  /** Takes every value over as it is written. A column that something else depends on is reported and stays. */
  async widen(table: string, name: string, { type }: Column) {
    const [owner, column] = [sql.table(table), sql.id(name)]
    const change = sql`alter table ${owner} alter column ${column} type ${typeText(type)} using ${column}::text::${typeText(type)}`
    await this.attempt(`${table}.${name} can not become ${type}`, change)
  }

  /** Choices may grow and shrink with the definition; rows that no longer fit are reported. */
  async choices(table: string, name: string, { choices }: Column) {
    if (!choices) return
    const constraint = choicesName(table, name)
    const text = choices.join(' ')
    const known = this.existing.checks.get(constraint)
    if (known === text) return
    const target = sql`alter table ${sql.table(table)}`
    const list = sql.join(choices.map((choice) => sql.lit(choice)))
    if (known !== undefined) await this.run(sql`${target} drop constraint ${sql.id(constraint)}`)
    await this.run(sql`${target} add constraint ${sql.id(constraint)} check (${sql.id(name)} in (${list})) not valid`)
    await this.run(sql`comment on constraint ${sql.id(constraint)} on ${sql.table(table)} is ${sql.lit(text)}`)
    await this.attempt(
      `${table}.${name} has values that are no choice`,
      sql`${target} validate constraint ${sql.id(constraint)}`,
    )
  }

  async index(table: string, name: string, { statement, unique }: Index) {
    if (this.existing.indexes.has(name)) return
    const what = unique ? `${table}.${unique} can not be made unique` : `${table} has no index ${name}`
    await this.attempt(what, statement)
  }

  async table(plan: TablePlan) {
    const { table } = plan
    if (this.existing.views.has(table)) return
    const have = this.existing.columns.get(table)
    if (have && !Object.keys(systemFields).every((name) => have.has(name))) {
      throw new Error(`The table ${table} is there already and is not one of a definition`)
    }
    if (!have) await this.run(sql`create table ${sql.table(table)} (${systemColumns})`)
    await this.columns(plan, have)
    for (const [name, index] of plan.indexes) await this.index(table, name, index)
  }
}

/**
 * Aligns tables with the definitions: adds missing parts, widens what loses nothing by it, reports other differences, drops nothing. `db` is a
 * transaction; several servers may start at once. Throws for definitions that cannot have tables.
 */
export async function deriveTables(
  db: QueryExecutorProvider,
  definitions: Definitions,
  rules: RulesByResource,
): Promise<Derived> {
  const plans = planTables(definitions, rules)
  await sql`select pg_advisory_xact_lock(727002)`.execute(db)
  await sql`set local lock_timeout = '3s'`.execute(db)
  const applying = new Applying(db, await readExisting(db))
  for (const plan of plans) await applying.table(plan)
  for (const text of plans.flatMap(({ extra }) => extra)) await sql.raw(text).execute(db)
  return applying.done
}
