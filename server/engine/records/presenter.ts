import { isSetKey, mayRead, summaryKey } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import { readableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Caller } from '#server/base/caller.ts'
import { type Catalog, rulesOf } from './catalog.ts'
import type { Row } from './resource-rules.ts'
import { hiddenParts, seenIn } from './visible-fields.ts'

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const copy: Row = { ...value }
  if (rest.length === 0) delete copy[key]
  else copy[key] = without(copy[key], rest)
  return copy
}

/** The part of a record that a caller may read through these definitions, with summaries of references. */
function readablePart(record: Row, resources: readonly AnyResource[], { role }: Caller): Row {
  const answer: Row = {}
  for (const resource of resources) {
    for (const [name, field] of Object.entries(readableFields(resource, role))) {
      answer[name] = hiddenParts(field, role).reduce(without, seenIn(record, name))
      if (isReference(field)) answer[summaryKey(name)] = record[summaryKey(name)] ?? null
    }
    for (const [name, field] of Object.entries(resource.fields))
      if (field.type === 'secret' && mayRead(field, role)) answer[isSetKey(name)] = record[isSetKey(name)] === true
  }
  return answer
}

/** A whole record as a caller may see it; the rules' `present` runs last. */
export function presentRecord(catalog: Catalog, record: Row, resources: readonly AnyResource[], caller: Caller): Row {
  const own = rulesOf(catalog, resources).flatMap(({ present }) => present ?? [])
  const now = catalog.clock()
  return own.reduce((row, present) => present(row, caller, now), readablePart(record, resources, caller))
}
