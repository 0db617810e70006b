import { sql } from 'kysely'
import { baseNameOf } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { filledOptions, listedBy, optionsOf, optionsQuery, parentsOf } from '#schema/form/options.ts'
import { isObject } from '#schema/is-object.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { topOf, valueAt } from '#schema/rule.ts'
import { rowsOf } from '#server/db/query.ts'
import { type Catalog, sourceFor } from '#server/engine/records/catalog.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { ruleFields, sourceOf, subsetSql, tableOf } from '#server/engine/sql/field-sql.ts'
import { filterSql, ruleSql } from '#server/engine/sql/filter-and-order.ts'
import { type RowAccessSql, rowAccessSql } from '#server/engine/sql/row-access-sql.ts'
import { cycleFaults } from './reference-cycles.ts'

/** `isChosen`: `options` of the field say which records may be referenced. */
type Pointer = { path: string; to: string; id: string; isChosen: boolean }

/** Options of a field that people choose; those of another one limit nothing that they could change. */
const chosenBy = (field: Field): string | undefined => (field.readOnly === true || field.derived ? undefined : optionsOf(field))

function pointersOf(field: Field, value: unknown, path: string): Pointer[] {
  const isChosen = chosenBy(field) !== undefined
  if (field.type === 'reference') return typeof value === 'string' ? [{ path, to: field.to, id: value, isChosen }] : []
  if (field.type === 'references') {
    const ids: unknown[] = Array.isArray(value) ? value : []
    return ids.map((id, index) => ({ path: `${path}.${index}`, to: field.to, id: String(id), isChosen }))
  }
  if (field.type === 'group') return isObject(value) ? pointersIn(field.fields, value, `${path}.`) : []
  if (field.type !== 'list' || !Array.isArray(value)) return []
  return value.flatMap((item: unknown, index) => (isObject(item) ? pointersIn(field.fields, item, `${path}.${index}.`) : []))
}

const pointersIn = (fields: Fields, values: Row, prefix = ''): Pointer[] =>
  Object.entries(fields).flatMap(([name, field]) => pointersOf(field, values[name], `${prefix}${name}`))

type Choice = { to: string; ids: readonly string[]; filters?: readonly Filter[] }

/** Existing ids within the caller's scope, locked against deletion until the transaction ends. */
async function existing(
  catalog: Catalog,
  { to, ids, filters = [] }: Choice,
  work: Work,
): Promise<ReadonlySet<string> | undefined> {
  const resource = catalog.definitions.get(to)
  const source = resource && sourceOf(sourceFor(catalog, resource), to)
  if (!resource || !source) return undefined
  const scope = resource.scope?.[work.caller.role]
  const inScope = scope ? ruleSql(source, scope, ruleContext(work.caller, work.now)) : sql`true`
  const asked = { ...source, caller: work.caller }
  const offered = filters.map((filter) => sql`and ${filterSql(asked, filter)}`)
  const rows = await rowsOf(
    work.db,
    sql<{ id: string }>`select "t"."id" from ${sql.table(tableOf(resource))} as "t"
      where "t"."id" in (${sql.join(ids)}) and ${subsetSql(source)} and ${inScope} ${sql.join(offered, sql` `)}
      for key share of "t"`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** `isSeen`: the caller may see the record; `inScope`: it is within the scope of the caller's role, if there is one. */
type Found = { isSeen: boolean; inScope: boolean }

const asCondition = (access: RowAccessSql) =>
  access === 'all' ? sql<boolean>`true` : access === 'none' ? sql<boolean>`false` : access

/** Existing records by id, locked against deletion until the transaction ends. */
async function foundRecords(
  catalog: Catalog,
  { to, ids }: Pick<Choice, 'to' | 'ids'>,
  work: Work,
): Promise<ReadonlyMap<string, Found> | undefined> {
  const resource = catalog.definitions.get(to)
  if (!resource) return undefined
  const isSeen = asCondition(rowAccessSql(sourceFor(catalog, resource, work.caller), ruleFields))
  const source = sourceFor(catalog, resource)
  const scope = resource.scope?.[work.caller.role]
  const inScope = scope ? ruleSql(source, scope, ruleContext(work.caller, work.now)) : sql`true`
  const rows = await rowsOf(
    work.db,
    sql<
      Found & { id: string }
    >`select "t"."id", coalesce(${isSeen}, false) as "isSeen", coalesce(${inScope}, false) as "inScope"
      from ${sql.table(tableOf(resource))} as "t" where "t"."id" in (${sql.join(ids)}) and ${subsetSql(source)}
      for key share of "t"`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** A field of a reference, in a list of any item, and its target. */
const targetKey = ({ path, id }: Pointer): string => `${path.replace(/\.\d+/g, '')} ${id}`

type Written = {
  fields: Fields
  values: Row
  /** Names of values that the caller sent; the others are set by the definition. */
  sent: ReadonlySet<string>
  /** The stored record: a reference that it has already may stay. */
  current: Row
  /** References that were checked already, as those of an action's form. */
  checked?: { fields: Fields; values: Row }
}

/**
 * A fault for every reference to a record that does not exist, or that the caller may not see: the same one, so that it tells
 * nothing. `options` decide for their fields: `misplaced` are the faults of records that they do not offer.
 */
export async function lostFaults(
  catalog: Catalog,
  { fields, values, sent, current, checked }: Written,
  misplaced: readonly Fault[],
  work: Work,
): Promise<Fault[]> {
  const pointers = pointersIn(fields, values)
  const kept = new Set(pointersIn(fields, current).map(targetKey))
  const recordKey = ({ to, id }: Pointer) => `${baseNameOf(catalog.definitions, to)} ${id}`
  const known = new Set(checked ? pointersIn(checked.fields, checked.values).map(recordKey) : [])
  const isKept = (pointer: Pointer) =>
    !sent.has(topOf(pointer.path)) ||
    kept.has(targetKey(pointer)) ||
    known.has(recordKey(pointer)) ||
    pointer.id === work.caller.userId
  const refused = new Set(misplaced.map(({ path }) => path))
  const isOffered = ({ path, isChosen }: Pointer, { inScope }: Found) => isChosen && inScope && !refused.has(path)
  const isOpen = (pointer: Pointer, found: Found | undefined) =>
    found !== undefined && (found.isSeen || isKept(pointer) || isOffered(pointer, found))
  const faults: Fault[] = []
  for (const to of new Set(pointers.map((pointer) => pointer.to))) {
    const own = pointers.filter((pointer) => pointer.to === to)
    const found = await foundRecords(catalog, { to, ids: [...new Set(own.map(({ id }) => id))] }, work)
    const lost = found ? own.filter((pointer) => !isOpen(pointer, found.get(pointer.id))) : []
    faults.push(...lost.map(({ path }) => ({ path, code: 'no-such-record' })))
  }
  return faults
}

/** Cache of allowed choices by query: the rows of an import need only a few queries. */
export type ChoiceCache = Map<string, ReadonlySet<string>>

async function offered(
  catalog: Catalog,
  list: AnyResource,
  path: string,
  ids: readonly string[],
  work: Work,
): Promise<ReadonlySet<string>> {
  const { query, faults } = optionsQuery(list, path)
  const choice = { to: list.name, ids, filters: query.filters }
  return faults.length > 0 ? new Set() : ((await existing(catalog, choice, work)) ?? new Set())
}

/** A field in a record: one value, or one in each row of a list. */
type Place = { path: string; value: unknown }

const partOf = (name: string, { path, value }: Place): Place => ({
  path: path === '' ? name : `${path}.${name}`,
  value: valueAt(value, name),
})
const rowsIn = ({ path, value }: Place): Place[] =>
  Array.isArray(value) ? value.map((item: unknown, index) => ({ path: `${path}.${index}`, value: item })) : []

type Chosen = { options: string; pointers: readonly Pointer[] }

/** Ids that a record points to by fields with options, including parts of groups and lists. */
const chosenIn = (fields: Fields, places: readonly Place[]): Chosen[] =>
  Object.entries(fields).flatMap(([name, field]): Chosen[] => {
    const own = () => places.map((place) => partOf(name, place))
    if (field.type === 'group') return chosenIn(field.fields, own())
    if (field.type === 'list') return chosenIn(field.fields, own().flatMap(rowsIn))
    const options = chosenBy(field)
    return options === undefined
      ? []
      : [{ options, pointers: own().flatMap(({ path, value }) => pointersOf(field, value, path)) }]
  })

type ReferencingRecord = {
  fields: Fields
  /** The record after the change. */
  record: Row
  /** Names of changed values. */
  changed: ReadonlySet<string>
}

/** Fault of a choice whose parents are empty; `parents` has their paths. */
const parentFirst = (options: string, record: Row): Omit<Fault, 'path'> => ({
  code: 'parent-first',
  params: {
    parents: parentsOf(options)
      .filter((path) => (valueAt(record, path) ?? '') === '')
      .join(' '),
  },
})

/**
 * A fault for every reference that its `options` exclude, in the record after the change. Checks only references that change,
 * or depend on a change.
 */
export async function choiceFaults(
  catalog: Catalog,
  { fields, record, changed }: ReferencingRecord,
  work: Work,
  cache: ChoiceCache = new Map(),
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { options, pointers } of chosenIn(fields, [{ path: '', value: record }])) {
    const list = listedBy(catalog.definitions, options)
    const [first] = pointers
    if (!list || !first) continue
    if (![first.path, ...parentsOf(options)].some((name) => changed.has(topOf(name)))) continue
    const filled = filledOptions(options, record)
    const ids = [...new Set(pointers.map(({ id }) => id))]
    const key = `${filled} ${ids.join(' ')}`
    const found = cache.get(key) ?? (filled === undefined ? new Set() : await offered(catalog, list, filled, ids, work))
    cache.set(key, found)
    const why = filled === undefined ? parentFirst(options, record) : { code: 'not-offered' }
    faults.push(...pointers.filter(({ id }) => !found.has(id)).map(({ path }) => ({ path, ...why })))
  }
  return faults
}

/**
 * A fault for every reference to a record that does not exist or is not the caller's to see. `more`: faults of misplaced
 * references.
 */
export async function referenceFaults(
  catalog: Catalog,
  written: Written,
  work: Work,
  more: readonly Fault[] = [],
): Promise<Fault[]> {
  const lost = await lostFaults(catalog, written, more, work)
  const known = new Set(lost.map(({ path }) => path))
  return [...lost, ...more.filter(({ path }) => !known.has(path))]
}

/** A fault for every reference to a record that is not offered, or to the record itself. */
export async function misplacedFaults(
  catalog: Catalog,
  resource: AnyResource,
  asked: ReferencingRecord & { values: Row },
  work: Work,
): Promise<Fault[]> {
  return [...(await choiceFaults(catalog, asked, work)), ...(await cycleFaults(catalog, resource, asked, work))]
}
