import { sql } from 'kysely'
import { baseOf, type Definitions, rolesFor } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { presentName } from '#schema/former-names.ts'
import type { AnyResource } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { Existing } from '#server/engine/sql/existing.ts'
import type { AccessChange } from './access-changes.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { filledBy } from './measures.ts'
import { appliedOf, type Renames, tableName } from './renames.ts'

type Where = Readonly<Record<string, string>>
type Stands = { applied: AppliedDefinitions; renames: Renames; existing: Existing }
type Place = Pick<Stands, 'renames' | 'existing'> & { whole: AnyResource; table: string }

/** A condition with the names that its fields have now. */
const presentWhere = (where: Where, { fields }: AnyResource): Where =>
  Object.fromEntries(Object.entries(where).map(([name, value]) => [presentName(fields, name), value]))

/** Stored values that a plan turns into this one. */
function formerValues(field: Field | undefined, value: string): string[] {
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
  return isThere ? sql`${sql.id(column)}::text` : sql`${filledBy(whole.fields[name]) ?? null}::text`
}

/** Rows that are in the one condition and not in the other. */
async function countTurns(db: Queryable, place: Place, turn: { had: Where; has: Where }) {
  const holds = (where: Where, valuesOf: (name: string, value: string) => readonly string[]) => {
    const parts = Object.entries(where).map(
      ([name, value]) => sql`${storedValue(name, place)} in (${sql.join(valuesOf(name, value))})`,
    )
    return sql<boolean>`coalesce(${sql.join([sql`true`, ...parts], sql` and `)}, false)`
  }
  const had = holds(turn.had, (_, value) => [value])
  const has = holds(turn.has, (name, value) => formerValues(place.whole.fields[name], value))
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

/** Resources that are a part of another one, by another condition than before: rows come into sight and go out of it. */
export async function subsetChanges(db: Queryable, definitions: Definitions, stands: Stands): Promise<AccessChange[]> {
  const found: AccessChange[] = []
  for (const resource of definitions.values()) {
    const before = appliedOf(stands.applied, resource)
    const whole = definitions.get(baseOf(resource))
    if (!resource.subset || !before?.subset || !whole) continue
    const turn = { had: presentWhere(before.subset.where, whole), has: resource.subset.where }
    if (isEqual(turn)) continue
    const to = tableName(whole.name)
    const table = stands.renames.tables.find((one) => one.to === to)?.from ?? to
    if (!stands.existing.columns.has(table)) continue
    const rows = await countTurns(db, { ...stands, whole, table }, turn)
    if (rows.more + rows.less === 0 && isRenamed(turn, whole)) continue
    const seers = new Set([...rolesFor(resource, 'list'), ...rolesFor(resource, 'show')])
    for (const role of roles.filter((one) => seers.has(one)))
      found.push({ role, resource: resource.name, right: 'rows of the subset', is: kindOf(rows), rows })
  }
  return found
}
