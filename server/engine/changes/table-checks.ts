import type { Definitions } from '#schema/definition.ts'
import { type Field, optionKeys } from '#schema/field-types.ts'
import { isComputed } from '#schema/form/presets.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { type Existing, isWider } from '#server/engine/sql/existing.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Column, choicesName, setIndexName, type TablePlan, uniqueIndexName } from '#server/engine/sql/table-plan.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import type { ObstacleKind } from './obstacles.ts'

/** A field whose rows have to be looked at, since the definition asks of them what it did not ask before. */
export type FieldCheck = {
  kind: Exclude<ObstacleKind, 'lost'>
  resource: AnyResource
  name: string
  field: Field
  choices?: ReadonlySet<unknown>
  stored?: string
  /** Fields that are unique together. */
  together?: readonly string[]
}

/** `leftovers`: columns that no definition names. */
export type TableCheck = { table: string; resource: string; fields: FieldCheck[]; leftovers: string[] }

/** Options whose values no constraint of the database keeps. */
const looseOptions = (field: Field | undefined): readonly unknown[] | undefined => {
  if (field?.type === 'integer' && field.options) return Object.keys(field.options)
  if (field?.type === 'tags' && field.options) return optionKeys(field.options)
  return undefined
}

/** True where fewer values fit than fitted before. */
function isNarrower(before: Field, now: Field): boolean {
  if (before.type !== now.type) return true
  const [had, has] = [looseOptions(before), looseOptions(now)]
  return !!has && (!had || had.some((option) => !has.includes(option)))
}

const sameCondition = (one: Field, other: Field) =>
  JSON.stringify([one.when, one.required]) === JSON.stringify([other.when, other.required])

/** A constant default fills the rows that are there. */
const fillsRows = (field: Field) => 'default' in field && !isComputed(field.default)

/** The database as it is, the definitions that it stands by, and those that it is to follow. */
export type Seen = { existing: Existing; applied: AppliedDefinitions; definitions: Definitions }

/** What the catalogue says of a column that there is: its type, its choices, its uniqueness. */
function* columnChecks({ table, indexes }: TablePlan, name: string, column: Column, seen: Seen): Generator<FieldCheck, void> {
  const { existing, applied, definitions } = seen
  const { field, choices } = column
  const resource = definitions.get(column.resource)
  const type = existing.columns.get(table)?.get(name)
  if (!resource || type === undefined) return
  const about = { resource, name, field }
  if (type !== column.type && !isWider(type, column.type)) {
    const stored = applied.get(column.resource)?.fields[name]?.type ?? type
    return yield { ...about, kind: 'type', stored }
  }
  const constraint = existing.checks.get(choicesName(table, name))
  if (choices && !(constraint?.isKept && constraint.comment === choices.join(' ')))
    yield { ...about, kind: 'choice', choices: new Set(choices) }
  const key = uniqueIndexName(table, name)
  if (indexes.has(key) && !existing.indexes.has(key)) yield { ...about, kind: 'unique' }
}

/** What the definition asks now and did not ask when the tables were last aligned. */
function* fieldChecks(resource: AnyResource, { existing, applied }: Seen): Generator<FieldCheck, void> {
  const columns = existing.columns.get(tableOf(resource))
  const known = applied.get(resource.name)
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!isStored(field)) continue
    const before = known?.fields[name]
    const isNew = !columns?.has(name)
    const wasRequired = before?.required && isStored(before) && sameCondition(before, field)
    if (field.required && (isNew ? !fillsRows(field) : known && !wasRequired)) yield { resource, name, field, kind: 'required' }
    if (before && !isNew && isNarrower(before, field)) yield { resource, name, field, kind: 'value', stored: before.type }
  }
}

/** Fields that are unique together and were not. */
function* setChecks(resource: AnyResource, { existing }: Seen): Generator<FieldCheck, void> {
  const table = tableOf(resource)
  for (const together of resource.unique ?? []) {
    const field = resource.fields[together[0] ?? '']
    const isThere = together.every((name) => existing.columns.get(table)?.has(name))
    if (field && isThere && !existing.indexes.has(setIndexName(table, together)))
      yield { resource, name: together.join(' + '), field, kind: 'unique', together }
  }
}

/** What has to be looked at in the rows before the tables may follow the definitions. Tables that nothing is asked of are left out. */
export function tableChecks(plans: readonly TablePlan[], seen: Seen): TableCheck[] {
  const { existing, definitions } = seen
  const checks = plans.flatMap((plan): TableCheck[] => {
    const columns = existing.columns.get(plan.table)
    if (!columns || existing.views.has(plan.table)) return []
    const resources = [...definitions.values()].filter((resource) => tableOf(resource) === plan.table)
    const byColumn: FieldCheck[] = [...plan.columns].flatMap(([name, column]) => [...columnChecks(plan, name, column, seen)])
    const byField: FieldCheck[] = resources.flatMap((resource) => [
      ...fieldChecks(resource, seen),
      ...setChecks(resource, seen),
    ])
    const isOther = ({ name }: FieldCheck) => byColumn.some((check) => check.name === name && check.kind !== 'unique')
    const leftovers = [...columns.keys()].filter((name) => !plan.columns.has(name) && !Object.hasOwn(systemFields, name))
    const fields = [...byColumn, ...byField.filter((check) => check.kind !== 'value' || !isOther(check))]
    return [{ table: plan.table, resource: resources[0]?.name ?? plan.table, fields, leftovers }]
  })
  return checks.filter(({ fields, leftovers }) => fields.length > 0 || leftovers.length > 0)
}
