import { sql } from 'kysely'
import { isRequired } from '#schema/form/conditions.ts'
import type { RuleContext } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { type Example, mostExamples, type Obstacle, Tally } from './obstacles.ts'
import type { FieldCheck, TableCheck } from './table-checks.ts'

const rowsAtOnce = 1_000

/** All rows of a table in batches, as the catalogue names their columns. Times are in the form in which they travel. */
export async function* rowsOfTable(db: Queryable, table: string): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await rowsOf(
      db,
      sql<Row & { id: string }>`select * from ${sql.table(table)} where "id" > ${after} order by "id" limit ${rowsAtOnce}`,
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = last.id
  }
}

/** A condition of a field reads the record; nobody asks for it. */
const nobody: RuleContext = { user: { id: '', role: 'admin' }, now: '' }

const isEmpty = (value: unknown) => value === null || value === undefined

/** Rows of the resource in a table that several share. */
const isOf = ({ resource }: FieldCheck, row: Row) =>
  Object.entries(resource.subset?.where ?? {}).every(([name, value]) => row[name] === value)

type Fits = (value: unknown, row: Row) => boolean

/** The test of each kind; `unique` remembers what it has seen. */
const tests: Record<Exclude<FieldCheck['kind'], 'unique'>, (check: FieldCheck) => Fits> = {
  type: () => isEmpty,
  choice:
    ({ choices }) =>
    (value) =>
      isEmpty(value) || choices?.has(value) === true,
  value: ({ field }) => {
    const schema = valueSchema(field)
    return (value) => isEmpty(value) || schema.safeParse(value).success
  },
  required: (check) => (value, row) => !isEmpty(value) || !isOf(check, row) || !isRequired(check.field, row, nobody),
}

const aboutOf = ({ kind, resource, name, field, stored }: FieldCheck) => ({
  kind,
  resource: resource.name,
  field: name,
  ...(stored ? { stored, defined: field.type } : {}),
})

/** What no other row may have: the value of a field, or those of a set, of which none is empty. */
function uniqueValue({ name, together }: FieldCheck, row: Row): unknown {
  if (!together) return row[name]
  const values = together.map((one) => row[one])
  return values.some(isEmpty) ? null : JSON.stringify(values)
}

/** Tells each row that does not fit; the first row of a value that is there again is told with the second. */
function checkerOf(check: FieldCheck, tally: Tally): (row: Row, id: string) => void {
  const about = aboutOf(check)
  if (check.kind !== 'unique') {
    const fits = tests[check.kind](check)
    return (row, id) => {
      const value = row[check.name] ?? null
      if (!fits(value, row)) tally.add(about, { id, value })
    }
  }
  const seen = new Map<unknown, string | undefined>()
  return (row, id) => {
    const value = uniqueValue(check, row)
    if (isEmpty(value)) return
    if (!seen.has(value)) return void seen.set(value, id)
    const first = seen.get(value)
    if (first !== undefined) tally.add(about, { id: first, value })
    seen.set(value, undefined)
    tally.add(about, { id, value })
  }
}

/** A column that no definition names, where it holds anything. */
async function lostIn(db: Queryable, { table, resource }: TableCheck, field: string): Promise<Obstacle[]> {
  const column = sql.id(field)
  const [counted] = await rowsOf(db, sql<{ rows: number }>`select count(${column}) as "rows" from ${sql.table(table)}`)
  if (!counted || counted.rows === 0) return []
  const examples = await rowsOf(
    db,
    sql<Example>`select "id", ${column} as "value" from ${sql.table(table)} where ${column} is not null
      order by "id" limit ${mostExamples}`,
  )
  return [{ kind: 'lost', resource, field, rows: counted.rows, examples }]
}

/** Rows that the definitions do not fit, of every table that has to be looked at. */
export async function findObstacles(db: Queryable, checks: readonly TableCheck[]): Promise<Obstacle[]> {
  const found: Obstacle[] = []
  for (const check of checks) {
    const tally = new Tally()
    const checkers = check.fields.map((field) => checkerOf(field, tally))
    if (checkers.length > 0)
      for await (const row of rowsOfTable(db, check.table)) for (const look of checkers) look(row, String(row.id))
    found.push(...tally.all)
    for (const name of check.leftovers) found.push(...(await lostIn(db, check, name)))
  }
  return found
}
