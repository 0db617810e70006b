import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { isComputed } from '#schema/form/presets.ts'
import { systemFields } from '#schema/resource.ts'
import { StartError } from '#server/base/start-error.ts'
import { type ExistingTables, isWider, readExistingTables } from './existing-tables.ts'
import { type Column, choicesName, type Index, isSetIndex, type TablePlan, uniqueIndexName } from './table-plan.ts'

/** Executed SQL, added tables and columns, and differences left unchanged. */
export type Derived = { applied: string[]; added: string[]; drift: string[] }

const systemColumns = sql.raw(`
  "id" text primary key,
  "version" int4 not null default 1,
  "createdAt" timestamptz(3) not null default now(),
  "createdBy" text,
  "updatedAt" timestamptz(3) not null default now(),
  "updatedBy" text`)

// Instants are on the wire in milliseconds; finer ones would not match a value read before.
export const typeText = (type: string) => sql.raw(type === 'timestamptz' ? 'timestamptz(3)' : type)

/** A constant default fills existing rows without a table rewrite. */
function defaultText({ field, type }: Column): RawBuilder<unknown> {
  const value: unknown = 'default' in field ? field.default : undefined
  if (value === undefined || value === null || isComputed(value)) return sql``
  return type === 'jsonb' ? sql` default ${sql.lit(JSON.stringify(value))}` : sql` default ${sql.lit(value)}`
}

class Applying {
  readonly done: Derived = { applied: [], added: [], drift: [] }
  readonly db: QueryExecutorProvider
  existing: ExistingTables

  constructor(db: QueryExecutorProvider, existing: ExistingTables) {
    this.db = db
    this.existing = existing
  }

  async run(statement: RawBuilder<unknown>) {
    await statement.execute(this.db)
    this.done.applied.push(statement.compile(this.db).sql.replace(/\s+/g, ' ').trim())
  }

  /** Runs SQL that existing data may violate; a failure is reported and the start continues. */
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
    const target = sql`alter table ${sql.table(table)}`
    for (const [name, column] of columns) {
      const [type, id] = [have?.get(name), sql.id(name)]
      const isOther = type !== undefined && type !== column.type
      if (isOther && isWider(type, column.type))
        await this.run(
          sql`${target} alter column ${id} type ${typeText(column.type)} using ${id}::text::${typeText(column.type)}`,
        )
      else if (isOther) await this.drop(table, name)
      if (type === undefined || (isOther && !isWider(type, column.type))) {
        await this.run(sql`${target} add column ${id} ${typeText(column.type)}${defaultText(column)}`)
        if (have) this.done.added.push(`${table}.${name}`)
      }
      await this.choices(table, name, column)
    }
    const defined = (name: string) => columns.has(name) || Object.hasOwn(systemFields, name)
    for (const name of have?.keys() ?? []) if (!defined(name)) this.done.drift.push(`${table}.${name} is in the database only`)
  }

  /** Drops a column with its indexes and constraints. */
  async drop(table: string, name: string) {
    await this.run(sql`alter table ${sql.table(table)} drop column ${sql.id(name)}`)
    this.existing = await readExistingTables(this.db)
  }

  /** Replaces the check constraint when the choices change. */
  async choices(table: string, name: string, { choices }: Column) {
    const constraint = choicesName(table, name)
    const text = choices?.join(' ')
    const known = this.existing.checks.get(constraint)
    if (known?.isKept && known.comment === text) return
    const target = sql`alter table ${sql.table(table)}`
    if (known) await this.run(sql`${target} drop constraint ${sql.id(constraint)}`)
    if (!choices || text === undefined) return
    const list = sql.join(choices.map((choice) => sql.lit(choice)))
    await this.run(sql`${target} add constraint ${sql.id(constraint)} check (${sql.id(name)} in (${list}))`)
    await this.run(sql`comment on constraint ${sql.id(constraint)} on ${sql.table(table)} is ${sql.lit(text)}`)
  }

  /** A non-unique index only affects speed and may fail; a missing unique one aborts the start. */
  async index(table: string, name: string, { statement, unique }: Index) {
    if (this.existing.indexes.has(name)) return
    if (unique) await this.run(statement)
    else await this.attempt(`${table} has no index ${name}`, statement)
  }

  /** Drops unique indexes that the definitions no longer require. */
  async loosen({ table, columns, indexes }: TablePlan) {
    for (const name of columns.keys()) {
      const key = uniqueIndexName(table, name)
      if (this.existing.indexes.has(key) && !indexes.has(key)) await this.run(sql`drop index ${sql.id(key)}`)
    }
    const sets = [...this.existing.indexes].filter((name) => isSetIndex(table, name) && !indexes.has(name))
    for (const name of sets) await this.run(sql`drop index ${sql.id(name)}`)
  }

  async table(plan: TablePlan) {
    const { table } = plan
    if (this.existing.views.has(table)) return
    const have = this.existing.columns.get(table)
    if (have && !Object.keys(systemFields).every((name) => have.has(name))) {
      throw new StartError(
        `There is a table "${table}" already, and it is not one of a definition. Call the definition "${table.replaceAll('_', '-')}" otherwise; \`npm run check\` names its file`,
      )
    }
    if (!have) {
      await this.run(sql`create table ${sql.table(table)} (${systemColumns})`)
      this.done.added.push(table)
    }
    await this.columns(plan, have)
    await this.loosen(plan)
    for (const [name, index] of plan.indexes) await this.index(table, name, index)
  }
}

const writtenIndex = /^create (?:unique )?index if not exists "([^"]+)"/

/** A hand-written index that rows violate aborts the start, with its name in the error. */
async function applyWritten(db: QueryExecutorProvider, text: string) {
  try {
    await sql.raw(text).execute(db)
  } catch (error) {
    const { code, detail } = Object(error)
    if (code !== '23505') throw error
    throw new Error(`The rows do not fit an index of the rules, so nothing was changed: ${text}. ${detail}`, { cause: error })
  }
}

/**
 * Aligns tables with the definitions: adds missing parts, widens column types without loss, and replaces empty columns of
 * another type. Conflicting data was refused before. `db` is a transaction.
 */
export async function deriveTables(
  db: QueryExecutorProvider,
  plans: readonly TablePlan[],
  existing: ExistingTables,
): Promise<Derived> {
  const applying = new Applying(db, existing)
  for (const plan of plans) await applying.table(plan)
  for (const text of plans.flatMap(({ extra }) => extra)) {
    // Even `if not exists` waits for all who write into the table.
    const [, name = ''] = writtenIndex.exec(text) ?? []
    if (!existing.indexes.has(name)) await applyWritten(db, text)
  }
  return applying.done
}
