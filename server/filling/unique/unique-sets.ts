import { sql } from 'kysely'
import type { AnyResource } from '#schema/resource.ts'
import { filled, type Label } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import { recordset } from '#server/db/insert-rows.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Outcome, type Planning, withFaults } from '#server/filling/outcome.ts'
import { type Freed, updatesById } from './freed-values.ts'
import { duplicateFault, isTaken, isText, twice } from './unique-fields.ts'
import { sameValues, setsOf } from './value-holders.ts'

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

type Found = { duplicates: Map<number, Label>; freed: Freed[] }

/**
 * Rows whose composite key exists in another row of the file, or in a record that the file leaves as it is; and those whose key
 * a record of the file has until then. Compared in the database, which knows the types.
 */
async function duplicatesOf(
  { work }: Planning,
  resource: AnyResource,
  set: readonly string[],
  { written, updates }: { written: readonly Written[]; updates: ReadonlyMap<string, Outcome & { kind: 'update' }> },
): Promise<Found> {
  const table = sql.table(tableOf(resource))
  const isWhole = ({ values }: Written) => set.every((name) => values[name] !== null && values[name] !== undefined)
  const rows = written
    .filter(isWhole)
    .map(({ row, values }) => ({ ...Object.fromEntries(set.map((name) => [name, values[name]])), id: String(row) }))
  const given = recordset(tableOf(resource), rows)
  const names = sql.join(set.map((name) => sql.id(name)))
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
    }>`select "given"."id" as "row", "t"."id" from ${given} as "given" join ${table} "t" on ${sameValues(set)}`,
  )
  const ownIds = new Map(written.map(({ row, ownId }) => [row, ownId]))
  const isOne = set.length === 1
  const duplicates = new Map<number, Label>()
  for (const { row, first } of repeated)
    if (Number(row) !== first) duplicates.set(Number(row), isOne ? twice(first) : inFile(first))
  const isUnchanged = new Set(there.flatMap(({ row, id }) => (ownIds.get(Number(row)) === id ? [id] : [])))
  const freed: Freed[] = []
  const text = isOne ? isTaken : inTable
  for (const { row, id } of there) {
    if (ownIds.get(Number(row)) === id) continue
    const update = isUnchanged.has(id) ? undefined : updates.get(id)
    const field = set.find((name) => update?.change[name] !== undefined)
    if (update && field) freed.push({ row: Number(row), by: update.row, id, field, faults: faultsAt(resource, set, text) })
    else duplicates.set(Number(row), text)
  }
  return { duplicates, freed }
}

const faultsAt = (resource: AnyResource, set: readonly string[], text: Label): ShownFault[] =>
  set.map((name) => duplicateFault(resource, name, text))

/** Outcomes with faults for violated composite keys, and what they free for one another. */
export async function withoutDuplicates(
  planning: Planning,
  resource: AnyResource,
  outcomes: readonly Outcome[],
): Promise<{ outcomes: Outcome[]; freed: Freed[] }> {
  const bad = new Map<number, ShownFault[]>()
  const freed: Freed[] = []
  const [written, updates] = [outcomes.flatMap(writtenBy), updatesById(outcomes)]
  for (const set of written.length > 0 ? setsOf(resource, (field) => !isText(field)) : []) {
    const found = await duplicatesOf(planning, resource, set, { written, updates })
    freed.push(...found.freed)
    for (const [row, text] of found.duplicates) bad.set(row, [...(bad.get(row) ?? []), ...faultsAt(resource, set, text)])
  }
  return { outcomes: withFaults(outcomes, bad, planning.work.language), freed }
}
