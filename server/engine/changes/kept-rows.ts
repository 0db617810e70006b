import { constantDefault } from '#schema/form/presets.ts'
import type { Queryable } from '#server/db/query.ts'
import type { TablePlan } from '#server/engine/sql/table-plan.ts'
import { countRows } from './count-rows.ts'
import { type Changes, storedName } from './find-changes.ts'
import { tableBefore } from './renames.ts'
import { hiddenValue } from './secrets.ts'
import { exampleValue } from './steps.ts'

/** A new column, as `added` of a plan names it, with the default that the rows of its table get. */
export type Filled = { column: string; value: unknown; rows: number }

/** A field whose values stay as they are under another type. */
export type Kept = { resource: string; field: string; from: string; to: string; rows: number }

/** New columns whose constant default fills the rows that are there. */
export async function filledColumns(db: Queryable, plans: readonly TablePlan[], changes: Changes): Promise<Filled[]> {
  const { existing, renamed, renames } = changes
  const filled: Filled[] = []
  for (const { table, columns } of plans) {
    const have = renamed.columns.get(table)
    if (!have || renamed.views.has(table)) continue
    const before = tableBefore(renames, table)
    for (const [name, { field }] of columns) {
      const value = have.has(name) ? undefined : constantDefault(field)
      const isFilled = value !== undefined && value !== null && existing.columns.has(before)
      const rows = isFilled ? await countRows(db, before) : 0
      if (rows > 0) filled.push({ column: `${table}.${name}`, value: field.type === 'secret' ? hiddenValue : value, rows })
    }
  }
  return filled
}

/** Values that fit another type of field in the same kind of column: nothing is written, yet they are read by it. */
export async function keptValues(db: Queryable, { checks, steps, obstacles }: Changes): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const check of checks)
    for (const { kind, resource, name, field, stored } of check.fields) {
      const isOf = (one: { resource: string; field?: string; kind: string }) =>
        one.resource === resource.name && one.field === name && one.kind !== 'rename'
      if (kind !== 'value' || stored === undefined || stored === field.type || [...steps, ...obstacles].some(isOf)) continue
      const rows = await countRows(db, check.from, storedName(check, name))
      if (rows > 0) kept.push({ resource: resource.name, field: name, from: stored, to: field.type, rows })
    }
  return kept
}

const rowsText = (rows: number) => `${rows} ${rows === 1 ? 'row' : 'rows'}`

/** `visit.size`, or with what its rows get: `visit.size: the default 7 is written to 8 rows`. */
export const addedText = (name: string, filled: readonly Filled[]): string => {
  const found = filled.find(({ column }) => column === name)
  return found ? `  ${name}: the default ${exampleValue(found.value)} is written to ${rowsText(found.rows)}` : `  ${name}`
}

/** `visit.share: becomes decimal from percent, and its values stay as they are (12 rows)` */
export const keptText = ({ resource, field, from, to, rows }: Kept): string =>
  `  ${resource}.${field}: becomes ${to} from ${from}, and its values stay as they are (${rowsText(rows)})`
