import { sql } from 'kysely'
import { baseOf, type Definitions, rolesFor } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field } from '#schema/field-types.ts'
import { constantDefault } from '#schema/form/presets.ts'
import { presentName } from '#schema/former-names.ts'
import type { AnyResource } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import type { ExistingTables } from '#server/engine/sql/existing-tables.ts'
import type { AccessChange } from './access/access-changes.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { type NoteCheck, subsetKind } from './notes.ts'
import { appliedOf, type Renames, tableBefore, tableName } from './renames.ts'

type Where = Readonly<Record<string, string>>
type Stands = { applied: AppliedDefinitions; renames: Renames; existing: ExistingTables }
type Place = Pick<Stands, 'renames' | 'existing'> & { whole: AnyResource; table: string }

/** A condition with the names that its fields have now. */
const presentWhere = (where: Where, { fields }: AnyResource): Where =>
  Object.fromEntries(Object.entries(where).map(([name, value]) => [presentName(fields, name), value]))

/** Stored values that a plan turns into this one. */
export function formerValues(field: Field | undefined, value: string): string[] {
  const isChoice = field && ('choicesWere' in field || 'choicesGone' in field)
  const { choicesWere = {}, choicesGone = {} } = isChoice ? field : {}
  const renamed = choicesWere[value]
  const replaced = Object.entries(choicesGone).flatMap(([before, now]) => (now === value ? [before] : []))
  return [value, ...(renamed === undefined ? [] : [renamed]), ...replaced]
}

/** The value of a field in a table that is not changed yet; a constant default where the column is only about to come. */
function storedValue(name: string, { table, whole, renames, existing }: Place) {
  const column = renames.columns.find((one) => one.table === tableName(whole.name) && one.to === name)?.from ?? name
  const isThere = existing.columns.get(table)?.has(column)
  return isThere ? sql`${sql.id(column)}::text` : sql`${constantDefault(whole.fields[name]) ?? null}::text`
}

/** A condition over a table that is not changed yet; `valuesOf`: stored values that count as one of the condition. */
function holdsIn(place: Place, where: Where, valuesOf: (name: string, value: string) => readonly string[]) {
  const parts = Object.entries(where).map(
    ([name, value]) => sql`${storedValue(name, place)} in (${sql.join(valuesOf(name, value))})`,
  )
  return sql<boolean>`coalesce(${sql.join([sql`true`, ...parts], sql` and `)}, false)`
}

const inside = (place: Place, where: Where) =>
  holdsIn(place, where, (name, value) => formerValues(place.whole.fields[name], value))

/** Rows that are in the one condition and not in the other. */
async function countMovedRows(db: Queryable, place: Place, conditions: { had: Where; has: Where }) {
  const had = holdsIn(place, conditions.had, (_, value) => [value])
  const has = inside(place, conditions.has)
  const counts = await rowOf(
    db,
    sql<{ more: number; less: number }>`select count(*) filter (where ${has} and not ${had})::int as "more",
      count(*) filter (where ${had} and not ${has})::int as "less" from ${sql.table(place.table)}`,
  )
  return { more: counts?.more ?? 0, less: counts?.less ?? 0 }
}

const isEqual = ({ had, has }: { had: Where; has: Where }) =>
  JSON.stringify(Object.entries(had).toSorted()) === JSON.stringify(Object.entries(has).toSorted())

/** True where fields and choices are only called otherwise. */
const isRenamed = ({ had, has }: { had: Where; has: Where }, { fields }: AnyResource) =>
  Object.keys(had).length === Object.keys(has).length &&
  Object.entries(has).every(([name, value]) => formerValues(fields[name], value).includes(had[name] ?? ''))

const kindOf = ({ more, less }: { more: number; less: number }): AccessChange['is'] =>
  more > 0 === less > 0 ? 'other' : more > 0 ? 'more' : 'less'

/** The condition of a subset before and now; undefined where it is the same, or only called otherwise. */
function conditionChange(resource: AnyResource, definitions: Definitions, applied: AppliedDefinitions) {
  const before = appliedOf(applied, resource)
  const whole = definitions.get(baseOf(resource))
  if (!resource.subset || !before?.subset || !whole) return undefined
  const conditions = { had: presentWhere(before.subset.where, whole), has: resource.subset.where }
  return isEqual(conditions) ? undefined : { whole, conditions }
}

/** Paths to references of a field and its parts, each with its target. */
function pointersIn(field: Field, keys: readonly string[]): { keys: readonly string[]; target: string }[] {
  if ('fields' in field) return Object.entries(field.fields).flatMap(([name, part]) => pointersIn(part, [...keys, name]))
  return isReference(field) ? [{ keys, target: field.to }] : []
}

/** References to a subset whose condition changes; the records that it has then are read by `withSubsetIds`. */
export function subsetPointers(
  resource: AnyResource,
  { definitions, applied }: { definitions: Definitions; applied: AppliedDefinitions },
): NoteCheck[] {
  return Object.entries(resource.fields).flatMap(([name, field]) =>
    (isStored(field) ? pointersIn(field, [name]) : []).flatMap(({ keys, target }): NoteCheck[] => {
      const part = definitions.get(target)
      if (!part || !conditionChange(part, definitions, applied)) return []
      return [{ resource, keys, target, kind: subsetKind, what: `name a record that is no ${target} then`, fits: () => true }]
    }),
  )
}

/** Such notes with the ids that their subset has under its new condition. */
export async function withSubsetIds(
  db: Queryable,
  notes: readonly NoteCheck[],
  definitions: Definitions,
  stands: Stands,
): Promise<NoteCheck[]> {
  const known = new Map<string, ReadonlySet<string>>()
  for (const { target } of notes) {
    const part = definitions.get(target ?? '')
    const found = part && conditionChange(part, definitions, stands.applied)
    if (!target || !found || known.has(target)) continue
    const place = { ...stands, whole: found.whole, table: tableBefore(stands.renames, tableName(found.whole.name)) }
    if (!stands.existing.columns.has(place.table)) continue
    const rows = await rowsOf(
      db,
      sql<{ id: string }>`select "id" from ${sql.table(place.table)} where ${inside(place, found.conditions.has)}`,
    )
    known.set(target, new Set(rows.map(({ id }) => id)))
  }
  return notes.map((note) => {
    const ids = known.get(note.target ?? '')
    return ids
      ? { ...note, fits: (value) => [value].flat().every((id) => id === null || id === undefined || ids.has(String(id))) }
      : note
  })
}

/** Resources that are a part of another one, by another condition than before: rows become visible or hidden. */
export async function subsetChanges(db: Queryable, definitions: Definitions, stands: Stands): Promise<AccessChange[]> {
  const found: AccessChange[] = []
  for (const resource of definitions.values()) {
    const changed = conditionChange(resource, definitions, stands.applied)
    if (!changed) continue
    const { whole, conditions } = changed
    const table = tableBefore(stands.renames, tableName(whole.name))
    if (!stands.existing.columns.has(table)) continue
    const rows = await countMovedRows(db, { ...stands, whole, table }, conditions)
    if (rows.more + rows.less === 0 && isRenamed(conditions, whole)) continue
    const seers = new Set([...rolesFor(resource, 'list'), ...rolesFor(resource, 'show')])
    for (const role of roles.filter((one) => seers.has(one)))
      found.push({ role, resource: resource.name, right: 'rows of the subset', is: kindOf(rows), rows })
  }
  return found
}
