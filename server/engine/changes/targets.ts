import { sql } from 'kysely'
import { baseOf, type Definitions } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import { namesBefore } from '#schema/former-names.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { ExistingTables } from '#server/engine/sql/existing-tables.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { formerColumns, type Renames, tableBefore } from './renames.ts'

/** Record ids by resource. */
export type KnownIds = ReadonlyMap<string, ReadonlySet<string>>

export const targetOf = (field: Field | undefined): string | undefined => (isReference(field) ? field.to : undefined)

/** A former field, with present names in its references. */
export function presentField<F extends Field>(field: F, definitions: Definitions): F {
  if ('fields' in field)
    return {
      ...field,
      fields: Object.fromEntries(Object.entries(field.fields).map(([name, part]) => [name, presentField(part, definitions)])),
    }
  const to = targetOf(field)
  const renamed = [...definitions.values()].find((resource) => to !== undefined && namesBefore(resource).includes(to))
  return renamed && to !== undefined && !definitions.has(to) ? { ...field, to: renamed.name } : field
}

/** True when ids referenced records of another resource before. A record of a subset is also one of its base. */
export function pointsOtherwise(before: Field, now: Field, definitions: Definitions): boolean {
  const [did, does] = [targetOf(before), targetOf(now)]
  const part = definitions.get(did ?? '')
  return does !== undefined && did !== does && !(part && baseOf(part) === does)
}

/** References of a field and its parts, by path. */
function targetsIn(field: Field, path = ''): [string, FieldOf<'reference'> | FieldOf<'references'>][] {
  if ('fields' in field) return Object.entries(field.fields).flatMap(([name, part]) => targetsIn(part, `${path}.${name}`))
  return isReference(field) ? [[path, field]] : []
}

/** Resources that a field, or one of its parts, did not reference before, or is filled with: their ids must be checked. */
export function newTargets(before: Field | undefined, now: Field): string[] {
  const had = new Map((before ? targetsIn(before) : []).map(([path, { to }]) => [path, to]))
  return targetsIn(now).flatMap(([path, { to, backfill }]) => (had.get(path) === to && backfill === undefined ? [] : [to]))
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** True when each id exists in the target resource; without known ids nothing is checked. */
export function isInside(field: Field, value: unknown, ids: KnownIds | undefined): boolean {
  const known = ids?.get(targetOf(field) ?? '')
  return !known || listed(value).every((id) => known.has(String(id)))
}

/** The catalogue before the renames. */
export type Seen = { existing: ExistingTables; definitions: Definitions; renames: Renames }

/** Record ids of a resource, whose table and columns may still have their former names. */
async function idsOf(db: Queryable, name: string, { existing, definitions, renames }: Seen): Promise<Set<string>> {
  const resource = definitions.get(name)
  if (!resource) return new Set()
  const table = tableOf(resource)
  const from = tableBefore(renames, table)
  const former = formerColumns(renames, table)
  const parts = Object.entries(resource.subset?.where ?? {}).map(([field, value]): [string, string] => [
    former.get(field) ?? field,
    value,
  ])
  const columns = existing.columns.get(from)
  if (!columns || parts.some(([column]) => !columns.has(column))) return new Set()
  const conditions = parts.map(([column, value]) => sql`${sql.id(column)} = ${value}`)
  const rows = await rowsOf(
    db,
    sql<{ id: string }>`select "id" from ${sql.table(from)} where ${sql.join([sql`true`, ...conditions], sql` and `)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

export async function knownIds(db: Queryable, names: readonly string[], seen: Seen): Promise<KnownIds> {
  const known = new Map<string, ReadonlySet<string>>()
  for (const name of new Set(names)) known.set(name, await idsOf(db, name, seen))
  return known
}
