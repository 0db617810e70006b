import { sql } from 'kysely'
import type { AnyResource } from '#schema/resource.ts'
import { filled, type Label } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { fault, inWords, type Outcome, type Planning } from './outcome.ts'

type Written = { row: number; ownId: unknown; values: Row }

const inFile = (row: number): Label =>
  filled(['Row {row} has the same values of these fields together', 'В строке {row} те же значения этих полей вместе'], { row })
const inTable: Label = [
  'Another record has the same values of these fields together',
  'У другой записи те же значения этих полей',
]

const writtenBy = (outcome: Outcome): Written[] => {
  if (outcome.kind === 'create') return [{ row: outcome.row, ownId: undefined, values: outcome.values }]
  if (outcome.kind !== 'update') return []
  return [{ row: outcome.row, ownId: outcome.record.id, values: { ...outcome.record, ...outcome.change } }]
}

/** Rows whose composite key exists in another row of the file or the table. Compared in the database, which knows the types. */
async function duplicatesOf(
  { work }: Planning,
  resource: AnyResource,
  set: readonly string[],
  written: readonly Written[],
): Promise<Map<number, Label>> {
  const table = sql.table(tableOf(resource))
  const isWhole = ({ values }: Written) => set.every((name) => values[name] !== null && values[name] !== undefined)
  const rows = written
    .filter(isWhole)
    .map(({ row, values }) => ({ ...Object.fromEntries(set.map((name) => [name, values[name]])), id: String(row) }))
  const given = sql`jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb)`
  const names = sql.join(set.map((name) => sql.id(name)))
  const same = sql.join(
    set.map((name) => sql`"t".${sql.id(name)} = "given".${sql.id(name)}`),
    sql` and `,
  )
  const repeated = await rowsOf(
    work.db,
    sql<{ row: string; first: number }>`select "id" as "row", min("id"::int4) over (partition by ${names}) as "first"
      from ${given} as "given"`,
  )
  const there = await rowsOf(
    work.db,
    sql<{
      row: string
      id: string
    }>`select "given"."id" as "row", "t"."id" from ${given} as "given" join ${table} "t" on ${same}`,
  )
  const ownIds = new Map(written.map(({ row, ownId }) => [row, ownId]))
  const duplicates = new Map<number, Label>()
  for (const { row, first } of repeated) if (Number(row) !== first) duplicates.set(Number(row), inFile(first))
  for (const { row, id } of there) if (ownIds.get(Number(row)) !== id) duplicates.set(Number(row), inTable)
  return duplicates
}

const faultsAt = ({ fields }: AnyResource, set: readonly string[], text: Label): ShownFault[] =>
  set.map((name) => {
    const label = fields[name]?.label
    return { ...fault(name, 'duplicate', text), ...(label ? { label } : {}) }
  })

/** Outcomes with faults for violated composite keys. */
export async function withoutDuplicates(
  planning: Planning,
  resource: AnyResource,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const bad = new Map<number, ShownFault[]>()
  const written = outcomes.flatMap(writtenBy)
  for (const set of written.length > 0 ? (resource.unique ?? []) : [])
    for (const [row, text] of await duplicatesOf(planning, resource, set, written))
      bad.set(row, [...(bad.get(row) ?? []), ...faultsAt(resource, set, text)])
  return outcomes.map((outcome): Outcome => {
    const faults = bad.get(outcome.row)
    return faults ? { row: outcome.row, kind: 'bad', faults: inWords(faults, planning.work.language) } : outcome
  })
}
