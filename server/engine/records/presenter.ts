import { summaryKey } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { readableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Caller } from '#server/base/caller.ts'
import { pointsElsewhere, ruleFields } from '#server/engine/sql/field-sql.ts'
import { hidesIds } from '#server/engine/sql/row-access-sql.ts'
import { type Catalog, rulesOf, sourceFor } from './catalog.ts'
import type { Row } from './resource-rules.ts'
import { hiddenParts } from './visible-fields.ts'

type Shown = { field: Field; value: unknown; summary: unknown }

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const copy: Row = { ...value }
  if (rest.length === 0) delete copy[key]
  else copy[key] = without(copy[key], rest)
  return copy
}

/** A value without the ids that `hidesIds`: they would tell apart who is not named. */
function withoutUnseen(catalog: Catalog, { field, value, summary }: Shown, caller: Caller): unknown {
  if (field.type === 'reference') {
    const target = catalog.definitions.get(field.to)
    const isUnseen = summary === null && value !== null && !!target
    return isUnseen && hidesIds(sourceFor(catalog, target, caller), ruleFields) ? null : value
  }
  if (field.type !== 'group' || !isObject(value)) return value
  const parts: Row = { ...value }
  for (const [key, part] of Object.entries(field.fields)) {
    if (parts[key] === undefined) continue
    const shown = { field: part, value: parts[key], summary: parts[summaryKey(key)] }
    parts[key] = withoutUnseen(catalog, shown, caller)
  }
  return parts
}

/** The part of a record that a caller may read through these definitions, with summaries of references. */
function readablePart(catalog: Catalog, record: Row, resources: readonly AnyResource[], caller: Caller): Row {
  const { role } = caller
  const answer: Row = {}
  for (const resource of resources) {
    for (const [name, field] of Object.entries(readableFields(resource, role))) {
      const value = hiddenParts(field, role).reduce(without, record[name] ?? null)
      answer[name] = withoutUnseen(catalog, { field, value, summary: record[summaryKey(name)] }, caller)
      if (pointsElsewhere(field)) answer[summaryKey(name)] = record[summaryKey(name)] ?? null
    }
  }
  return answer
}

/** A whole record as a caller may see it; the rules' `present` runs last. */
export function presentRecord(catalog: Catalog, record: Row, resources: readonly AnyResource[], caller: Caller): Row {
  const own = rulesOf(catalog, resources).flatMap(({ present }) => present ?? [])
  return own.reduce((row, present) => present(row, caller), readablePart(catalog, record, resources, caller))
}
