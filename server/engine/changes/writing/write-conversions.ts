import { sql } from 'kysely'
import type { Queryable } from '#server/db/query.ts'
import { batchesOf, type Change, RowScan } from '#server/engine/changes/scan-rows.ts'
import type { FieldCheck, TableCheck } from '#server/engine/changes/table-checks.ts'
import { conversionOf } from '#server/engine/changes/value-conversions.ts'
import { choicesName } from '#server/engine/sql/table-plan.ts'
import { typeText } from '#server/engine/sql/tables.ts'

export type Applying = { db: Queryable; planId: string; now: string }

/** Name of the temporary column for values of a new type. */
const besides = (name: string) => `${name}__new`

const isRetyped = ({ kind }: FieldCheck) => kind === 'type'

/** Writes values by id in column format. */
async function writeValues({ db }: Applying, table: string, { target: to, column, values: written }: ColumnValues) {
  const values = JSON.stringify(Object.fromEntries(written))
  const target = sql.id(to)
  const isJson = column === 'jsonb'
  const each = sql.raw(isJson ? 'jsonb_each' : 'jsonb_each_text')
  const value = isJson ? sql`nullif("x"."value", 'null'::jsonb)` : sql`"x"."value"::${typeText(column)}`
  await sql`update ${sql.table(table)} as "t" set ${target} = ${value} from ${each}(${values}::jsonb) as "x"
    where "t"."id" = "x"."key"`.execute(db)
}

async function archiveValues({ db, planId }: Applying, changes: readonly Change[]) {
  const lost = changes
    .filter(({ isLost }) => isLost)
    .map(({ id, before, check }) => ({ recordId: id, value: before, resource: check.resource.name, field: check.name }))
  if (lost.length === 0) return
  await sql`insert into "planArchive" ("planId", "resource", "field", "recordId", "value")
    select ${planId}, "resource", "field", "recordId", "value"
    from jsonb_to_recordset(${JSON.stringify(lost)}::jsonb)
      as "x"("resource" text, "field" text, "recordId" text, "value" jsonb)`.execute(db)
}

/** New values of a column, by id. */
type ColumnValues = { target: string; column: string; values: Map<unknown, unknown> }

/** The last value of each row, because a filling follows the conversion that left nothing, in the same column. */
function valuesByColumn(changes: readonly Change[], fields: readonly FieldCheck[]): Iterable<ColumnValues> {
  const retyped = new Set(fields.filter(isRetyped).map(({ name }) => name))
  const columns = new Map<string, ColumnValues>()
  for (const { id, check, after } of changes) {
    const { name, column } = check
    const target = retyped.has(name) ? besides(name) : name
    const known = columns.get(name) ?? { target, column, values: new Map() }
    columns.set(name, known)
    known.values.set(id, after)
  }
  return columns.values()
}

/** Adds temporary columns, and drops constraints on former choices. */
async function makeRoom({ db }: Applying, { table, columns }: TableCheck, fields: readonly FieldCheck[]) {
  const target = sql`alter table ${sql.table(table)}`
  for (const check of fields) {
    const { name, column } = check
    if (isRetyped(check)) await sql`${target} add column ${sql.id(besides(name))} ${typeText(column)}`.execute(db)
    else if (!columns.has(name)) await sql`${target} add column if not exists ${sql.id(name)} ${typeText(column)}`.execute(db)
    await sql`${target} drop constraint if exists ${sql.id(choicesName(table, name))}`.execute(db)
  }
}

/** Drops the old column with its indexes; those of the new one are created with all other parts. */
async function exchange({ db }: Applying, { table }: TableCheck, fields: readonly FieldCheck[]) {
  const target = sql`alter table ${sql.table(table)}`
  for (const { name } of fields.filter(isRetyped)) {
    await sql`${target} drop column ${sql.id(name)}`.execute(db)
    await sql`${target} rename column ${sql.id(besides(name))} to ${sql.id(name)}`.execute(db)
  }
}

/** Converts, replaces and fills the values of a table whose names are already the present ones. */
export async function writeConversions(applying: Applying, check: TableCheck): Promise<void> {
  const fields = check.fields.filter((field) => field.kind === 'parts' || conversionOf(field, applying.now))
  if (fields.length === 0) return
  await makeRoom(applying, check, fields)
  const scan = new RowScan({ ...check, former: new Map(), notes: [], demands: [] }, applying.now)
  for await (const rows of batchesOf(applying.db, check.table)) {
    const changes = rows.flatMap((row) => scan.scanRow(row))
    for (const values of valuesByColumn(changes, fields)) await writeValues(applying, check.table, values)
    await archiveValues(applying, changes)
  }
  await exchange(applying, check, fields)
}

/** Archives the values of removable columns. */
export async function archiveRemovedColumns({ db, planId }: Applying, { table, resource, gone }: TableCheck): Promise<void> {
  for (const name of gone) {
    const column = sql.id(name)
    await sql`insert into "planArchive" ("planId", "resource", "field", "recordId", "value")
      select ${planId}, ${resource}, ${name}, "id", to_jsonb(${column}) from ${sql.table(table)} where ${column} is not null`.execute(
      db,
    )
    await sql`alter table ${sql.table(table)} drop column ${column}`.execute(db)
  }
}
