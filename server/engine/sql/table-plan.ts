import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { allFields, type Definitions, fieldOf, listOf, plainSort, summaryOf } from '#schema/definition.ts'
import { choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { keyCharacters, longestKey } from '#schema/facts/longest-text.ts'
import { type Field, type Fields, traitsOf } from '#schema/field-types.ts'
import type { Sort } from '#schema/list-query.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import { topOf } from '#schema/rule.ts'
import { sortedChoices } from './choice-order.ts'
import { columnTypeOf, isStored } from './column-types.ts'
import { type RulesByResource, type Source, searchText, tableOf } from './field-sql.ts'
import { orderSql, stableSort } from './filter-and-order.ts'

/** `resource`: the first definition with the field. */
export type Column = { type: string; field: Field; resource: string; choices?: readonly string[] }
export type Index = { statement: RawBuilder<unknown>; unique?: string }
/** Required columns and indexes of a table. Definitions over one table are planned together. */
export type TablePlan = { table: string; columns: Map<string, Column>; indexes: Map<string, Index>; extra: readonly string[] }

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** An identifier of at most 63 bytes; long ones end in a hash of the full name. */
const identifier = (...parts: string[]): string => {
  const name = parts.join('_')
  return name.length <= 63 ? name : `${name.slice(0, 54)}_${hash(name)}`
}

/** Name of a field's unique index, which a violation reports. */
export const uniqueIndexName = (table: string, field: string): string => identifier(table, field, 'key')
/** Name of a composite unique index. */
export const setIndexName = (table: string, fields: readonly string[]): string =>
  identifier(table, 'set', hash(fields.join(' ')))
/** True for the name of a composite unique index of a table. */
export const isSetIndex = (table: string, name: string): boolean =>
  name.length === setIndexName(table, []).length && name.startsWith(`${table}_set_`)
export const columnIndexName = (table: string, field: string): string => identifier(table, field, 'ix')
export const choicesName = (table: string, field: string): string => identifier(table, field, 'choices')

const fieldName = /^[a-z][A-Za-z0-9]{0,57}$/
const resourceName = /^[a-z][a-z0-9-]{0,40}$/

type Planning = { plans: Map<string, TablePlan>; faults: string[] }

function addColumn(plan: TablePlan, name: string, field: Field, where: string, faults: string[]) {
  const type = columnTypeOf(field)
  const known = plan.columns.get(name)
  if (known && known.type !== type)
    faults.push(`${where}.${name}: is ${type} here and ${known.type} in the other definition of its table`)
  const own = hasChoices(field) ? choicesOf(field) : undefined
  const choices = known ? (own && known.choices ? [...new Set([...known.choices, ...own])] : undefined) : own
  plan.columns.set(name, {
    type,
    field: known?.field ?? field,
    resource: known?.resource ?? where,
    ...(choices ? { choices } : {}),
  })
}

const columnIndex = (table: string, name: string) =>
  sql`create index ${sql.id(columnIndexName(table, name))} on ${sql.table(table)} (${sql.id(name)})`

/** Index for references with several ids. */
const listIndex = (table: string, name: string) =>
  sql`create index ${sql.id(columnIndexName(table, name))} on ${sql.table(table)} using gin (${sql.id(name)})`

function addFieldIndex(plan: TablePlan, name: string, field: Field) {
  const { table, indexes } = plan
  const on = sql`on ${sql.table(table)} (${sql.id(name)})`
  const unique = uniqueIndexName(table, name)
  if (field.unique) indexes.set(unique, { statement: sql`create unique index ${sql.id(unique)} ${on}`, unique: name })
  else if (field.type === 'reference') indexes.set(columnIndexName(table, name), { statement: columnIndex(table, name) })
  else if (field.type === 'references') indexes.set(columnIndexName(table, name), { statement: listIndex(table, name) })
}

/** A composite unique key; rows with a null in it never conflict. */
function addTogether({ table, indexes }: TablePlan, names: readonly string[]) {
  const name = setIndexName(table, names)
  const columns = sql.join(names.map((one) => sql.id(one)))
  const statement = sql`create unique index ${sql.id(name)} on ${sql.table(table)} (${columns})`
  indexes.set(name, { statement, unique: names.join(' + ') })
}

const isIndexable = (fields: Fields, path: string) => {
  const top = fields[topOf(path)]
  return !!top && isStored(top) && top.type !== 'reference'
}

/** True for a text that names a record: people sort long lists by it, and it is written once. */
const isName = (fields: Fields, name: string) => {
  const field = fields[name]
  return !!field && isStored(field) && traitsOf(field).title && traitsOf(field).compare === 'text'
}

/** Both orders: nulls are last in each, so that one index does not serve the other way round. */
const bothOrders = (field: string): Sort[] => [
  { field, order: 'asc' },
  { field, order: 'desc' },
]

/** Indexes for the default order and for sorting by what names a record. */
function addSortIndexes(plan: TablePlan, source: Source) {
  const { resource } = source
  const names = summaryOf(resource).filter((name) => isName(resource.fields, name))
  for (const sort of [listOf(resource).sort, ...plainSort(resource), ...names.flatMap(bothOrders)])
    addSortIndex(plan, source, sort)
}

function addSortIndex(plan: TablePlan, source: Source, sort: Sort) {
  if (!isIndexable(allFields(source.resource), sort.field)) return
  const field = fieldOf(source.resource, sort.field)
  const keys = stableSort(source.resource, [sort]).filter((key) => key.field !== 'id')
  const characters = keys.reduce((sum, key) => sum + keyCharacters(fieldOf(source.resource, key.field)), 0)
  if (characters > longestKey) return
  // Another order of choices needs another index, so it is part of the name.
  const places = field && hasChoices(field) ? ` ${sortedChoices(field, 'en').join(' ')}` : ''
  const name = identifier(plan.table, 'sort', hash(`${sort.field} ${sort.order}${places}`))
  const statement = sql`create index ${sql.id(name)} on ${sql.table(plan.table)} (${orderSql(source, [sort], '')})`
  plan.indexes.set(name, { statement })
}

function addSearchIndex(plan: TablePlan, source: Source) {
  const { search } = listOf(source.resource)
  const text = searchText(source, search, '')
  if (!text) return
  const name = identifier(plan.table, 'search', hash(search.join(' ')))
  plan.indexes.set(name, {
    statement: sql`create index ${sql.id(name)} on ${sql.table(plan.table)} using gin (${text} gin_trgm_ops)`,
  })
}

function addResource(resource: AnyResource, definitions: Definitions, rules: RulesByResource, { plans, faults }: Planning) {
  // Without a caller nothing depends on the time.
  const source: Source = { resource, definitions, rules, now: new Date(0) }
  const table = tableOf(resource)
  if (!resourceName.test(resource.name)) faults.push(`${resource.name}: is no name for a table`)
  const plan = plans.get(table) ?? { table, columns: new Map(), indexes: new Map(), extra: [] }
  for (const [name, field] of Object.entries(resource.fields).filter(([, field]) => isStored(field))) {
    if (!fieldName.test(name) || Object.hasOwn(systemFields, name))
      faults.push(`${resource.name}.${name}: is no name for a column`)
    addColumn(plan, name, field, resource.name, faults)
    addFieldIndex(plan, name, field)
  }
  for (const names of resource.unique ?? []) addTogether(plan, names)
  addSortIndexes(plan, source)
  addSearchIndex(plan, source)
  plans.set(table, { ...plan, extra: [...plan.extra, ...(rules[resource.name]?.indexes ?? [])] })
}

/** Tables of all definitions; throws with all faults that make them impossible. */
export function planTables(definitions: Definitions, rules: RulesByResource): readonly TablePlan[] {
  const planning: Planning = { plans: new Map(), faults: [] }
  for (const resource of definitions.values()) {
    const base = resource.subset && definitions.get(resource.subset.of)
    if (resource.subset && (!base || base.subset))
      planning.faults.push(`${resource.name}: is part of ${resource.subset.of}, which has no table`)
    addResource(resource, definitions, rules, planning)
  }
  if (planning.faults.length > 0) throw new Error(`No tables for these definitions:\n${planning.faults.join('\n')}`)
  return [...planning.plans.values()]
}
