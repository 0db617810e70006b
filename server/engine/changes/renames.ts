import { baseOf, type Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { fieldBefore, namesBefore } from '#schema/former-names.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { ExistingTables } from '#server/engine/sql/existing-tables.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { choicesName, columnIndexName, type TablePlan, uniqueIndexName } from '#server/engine/sql/table-plan.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'

export type TableRename = { resource: string; from: string; to: string }
export type ColumnRename = { resource: string; table: string; from: string; to: string }
export type Renames = { resources: readonly { from: string; to: string }[]; tables: TableRename[]; columns: ColumnRename[] }

export const tableName = (resource: string) => resource.replaceAll('-', '_')

/** A table under the name that it has before the renames. */
export const tableBefore = ({ tables }: Pick<Renames, 'tables'>, table: string): string =>
  tables.find(({ to }) => to === table)?.from ?? table

/** The table that still has a former name of the resource. */
export const formerTable = (resource: AnyResource, { columns, views }: ExistingTables): string | undefined =>
  namesBefore(resource)
    .map(tableName)
    .find((name) => columns.has(name) && !views.has(name))

/** The table under its former name, when the present one does not exist yet. */
function renamedTable(plan: TablePlan, resource: AnyResource, existing: ExistingTables): TableRename | undefined {
  if (existing.columns.has(plan.table)) return undefined
  const from = formerTable(resource, existing)
  return from ? { resource: resource.name, from, to: plan.table } : undefined
}

/** Columns whose values are still under a former name. An empty column may have been added under the present name meanwhile. */
const renamedColumns = (plan: TablePlan, have: ReadonlyMap<string, string>): ColumnRename[] =>
  [...plan.columns].flatMap(([to, { field, resource }]) => {
    const from = namesBefore(field).find((name) => have.has(name) && !plan.columns.has(name))
    return from && !have.has(to) ? [{ resource, table: plan.table, from, to }] : []
  })

/** Names in the database that the definitions have changed. */
export function findRenames(
  plans: readonly TablePlan[],
  definitions: Definitions,
  { existing, applied }: { existing: ExistingTables; applied: AppliedDefinitions },
): Renames {
  const owner = (plan: TablePlan) =>
    [...definitions.values()].find((resource) => !resource.subset && tableOf(resource) === plan.table)
  const tables = plans.flatMap((plan) => {
    const resource = owner(plan)
    const found = resource && renamedTable(plan, resource, existing)
    return found ? [found] : []
  })
  const columns = plans.flatMap((plan) => {
    const table = tableBefore({ tables }, plan.table)
    const have = existing.columns.get(table)
    return have && !existing.views.has(table) ? renamedColumns(plan, have) : []
  })
  const resources = [...definitions.values()].flatMap((resource) => {
    const from = applied.has(resource.name) ? undefined : namesBefore(resource).find((name) => applied.has(name))
    return from ? [{ from, to: resource.name }] : []
  })
  return { resources, tables, columns }
}

/** Present column names of a table with their former ones. */
export const formerColumns = ({ columns }: Renames, table: string): ReadonlyMap<string, string> =>
  new Map(columns.filter((rename) => rename.table === table).map(({ from, to }) => [to, from]))

const renamedKeys = <T>(map: ReadonlyMap<string, T>, names: ReadonlyMap<string, string>): Map<string, T> =>
  new Map([...map].map(([key, value]) => [names.get(key) ?? key, value]))

/** Indexes and constraints named after a table and a column, by former name. */
export function namesOfColumns({ tables, columns }: Renames, existing: ExistingTables): Map<string, string> {
  const names = new Map<string, string>()
  const add = (from: [string, string], to: [string, string]) => {
    for (const make of [uniqueIndexName, columnIndexName, choicesName]) names.set(make(...from), make(...to))
  }
  for (const { from, to } of tables)
    for (const column of existing.columns.get(from)?.keys() ?? []) add([from, column], [to, column])
  for (const { table, from, to } of columns) {
    const before = tableBefore({ tables }, table)
    add([before, from], [table, to])
  }
  return names
}

/** The catalogue after the renames. */
export function renamedExisting(existing: ExistingTables, renames: Renames): ExistingTables {
  const tables = renamedKeys(existing.columns, new Map(renames.tables.map(({ from, to }) => [from, to])))
  for (const { table, from, to } of renames.columns)
    tables.set(table, renamedKeys(tables.get(table) ?? new Map(), new Map([[from, to]])))
  const names = namesOfColumns(renames, existing)
  return {
    columns: tables,
    views: existing.views,
    indexes: new Set([...existing.indexes].map((name) => names.get(name) ?? name)),
    checks: renamedKeys(existing.checks, names),
  }
}

/** The applied definition of a resource, under its present or a former name. */
export const appliedOf = (applied: AppliedDefinitions, resource: AnyResource): AnyResource | undefined =>
  [resource.name, ...namesBefore(resource)].map((name) => applied.get(name)).find(Boolean)

/** Applied definitions of the table of these resources, also of subsets that are gone. */
export function appliedOver(applied: AppliedDefinitions, resources: readonly AnyResource[]): AnyResource[] {
  const names = new Set(resources.flatMap((resource) => [resource.name, ...namesBefore(resource)]))
  return [...applied.values()].filter((one) => names.has(one.name) || names.has(baseOf(one)))
}

/** The field of the applied definition that a field was. */
export const appliedField = (known: AnyResource | undefined, name: string, field: Field): Field | undefined =>
  known && fieldBefore(known.fields, name, field)
