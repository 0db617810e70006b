import { summaryKey } from '#schema/definition.ts'
import { readableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Caller } from '#server/caller.ts'
import { pointsElsewhere } from '#server/db/field-sql.ts'
import { type Catalog, familyOf, rulesOf } from './catalog.ts'
import type { Row } from './resource-rules.ts'
import { hiddenParts } from './visible-fields.ts'

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const copy: Row = { ...value }
  if (rest.length === 0) delete copy[key]
  else copy[key] = without(copy[key], rest)
  return copy
}

/** The part of a record that a caller may read as one of these definitions, with the summaries of its references. */
function readablePart(record: Row, resources: readonly AnyResource[], { role }: Caller): Row {
  const answer: Row = {}
  for (const resource of resources) {
    for (const [name, field] of Object.entries(readableFields(resource, role))) {
      answer[name] = hiddenParts(field, role).reduce(without, record[name] ?? null)
      if (pointsElsewhere(field)) answer[summaryKey(name)] = record[summaryKey(name)] ?? null
    }
  }
  return answer
}

/** The rules' last word on a record that leaves. */
export const presenter = (
  catalog: Catalog,
  resources: readonly AnyResource[],
  caller: Caller,
): ((record: Row) => Row) | undefined => {
  const own = rulesOf(catalog, resources).flatMap(({ present }) => present ?? [])
  return own.length === 0 ? undefined : (record) => own.reduce((row, present) => present(row, caller), record)
}

/** Definitions whose rules concern the rows of a resource: the whole and the resource itself. */
export const presentingOf = (catalog: Catalog, resource: AnyResource): readonly AnyResource[] =>
  familyOf(catalog, resource).filter((member) => !member.subset || member === resource)

/** A whole record as a caller may see it. */
export function presentRecord(catalog: Catalog, record: Row, resources: readonly AnyResource[], caller: Caller): Row {
  const part = readablePart(record, resources, caller)
  return presenter(catalog, resources, caller)?.(part) ?? part
}
