import { sql } from 'kysely'
import { baseOf, type Definitions } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import { isAbsent } from '#schema/form/is-empty.ts'
import { filledOptions, listedBy, optionsOf, optionsQuery } from '#schema/form/options.ts'
import type { Filter } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { formerColumns, tableBefore } from '#server/engine/changes/renames.ts'
import { rowsAmong } from '#server/engine/changes/scan-rows.ts'
import { formerValues } from '#server/engine/changes/subset-changes.ts'
import type { FieldCheck } from '#server/engine/changes/table-checks.ts'
import type { Seen } from '#server/engine/changes/targets.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** A required reference whose empty rows are filled with a record. */
export const isFilledReference = (field: Field): field is FieldOf<'reference'> | FieldOf<'references'> =>
  isReference(field) && field.required !== undefined && field.backfill !== undefined

const idsAtOnce = 1_000

/** Rows of a resource under present names, which its table may not have yet. */
async function rowsById(db: Queryable, resource: AnyResource, ids: readonly string[], seen: Seen): Promise<Map<string, Row>> {
  const table = tableOf(resource)
  const from = tableBefore(seen.renames, table)
  const found = new Map<string, Row>()
  if (!seen.existing.columns.has(from)) return found
  const present = new Map([...formerColumns(seen.renames, table)].map(([now, former]) => [former, now]))
  const wanted = [...new Set(ids)]
  for (let at = 0; at < wanted.length; at += idsAtOnce)
    for (const [id, row] of await rowsAmong(db, from, wanted.slice(at, at + idsAtOnce)))
      found.set(id, Object.fromEntries(Object.entries(row).map(([name, value]) => [present.get(name) ?? name, value])))
  return found
}

/** Ids that the filling of a field may write: one for all, or those of another field. */
async function fillingIds(db: Queryable, { field, resource }: FieldCheck, seen: Seen): Promise<string[]> {
  const { backfill } = field
  const name = String(backfill).startsWith('$record.') ? String(backfill).slice('$record.'.length) : undefined
  if (name === undefined) return [String(backfill)]
  const table = tableOf(resource)
  const from = tableBefore(seen.renames, table)
  const column = formerColumns(seen.renames, table).get(name) ?? name
  if (!seen.existing.columns.get(from)?.has(column)) return []
  const rows = await rowsOf(db, sql<{ id: unknown }>`select distinct ${sql.id(column)} as "id" from ${sql.table(from)}`)
  const converted = Object.values(resource.fields[name]?.convert?.values ?? {})
  return [...rows.map(({ id }) => id), ...converted].flat().filter((id) => typeof id === 'string')
}

/** A filter on one record; a condition on what the record does not hold itself is taken as met. */
function isMet({ field: path, op, values }: Filter, row: Row, list: AnyResource): boolean {
  const field = list.fields[path]
  const value = row[path]
  if (!field || !Object.hasOwn(row, path)) return true
  const isOneOf = [value]
    .flat()
    .some((one) => values.some((wanted) => formerValues(field, String(wanted)).includes(String(one))))
  const tests: Partial<Record<Filter['op'], () => boolean>> = {
    eq: () => isOneOf,
    ne: () => !isOneOf,
    null: () => isAbsent(value) === values.includes(true),
  }
  return tests[op]?.() ?? true
}

/** True for a record that `options` of the field offer in a row. */
function isOffered(field: Field, target: Row, row: Row, definitions: Definitions): boolean {
  const options = optionsOf(field)
  const list = options === undefined ? undefined : listedBy(definitions, options)
  if (options === undefined || !list) return true
  const filled = filledOptions(options, row)
  if (filled === undefined) return false
  const { query, faults } = optionsQuery(list, filled)
  return (
    faults.length === 0 && isOfResource(target, list, definitions) && query.filters.every((one) => isMet(one, target, list))
  )
}

const isOfResource = (row: Row, { subset }: AnyResource, definitions: Definitions): boolean =>
  Object.entries(subset?.where ?? {}).every(([name, value]) => {
    const field = definitions.get(subset?.of ?? '')?.fields[name]
    return field !== undefined && formerValues(field, value).includes(String(row[name]))
  })

/** The check with its test: an empty reference is filled with a record that exists, and that the form would offer. */
export async function withFilledTargets(db: Queryable, check: FieldCheck, seen: Seen): Promise<FieldCheck> {
  const { field, name } = check
  const target = isFilledReference(field) ? seen.definitions.get(field.to) : undefined
  if (!target) return check
  const base = seen.definitions.get(baseOf(target)) ?? target
  const known = await rowsById(db, base, await fillingIds(db, check, seen), seen)
  const isRight = (id: unknown, row: Row) => {
    const found = known.get(String(id))
    return !!found && isOfResource(found, target, seen.definitions) && isOffered(field, found, row, seen.definitions)
  }
  return {
    ...check,
    fits: (value, row, held) => isAbsent(value) || !isAbsent(held[name]) || [value].flat().every((id) => isRight(id, row)),
  }
}
