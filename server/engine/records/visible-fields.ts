import { mayRead, mayReadPath, summaryKey } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { readableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { pointsElsewhere } from '#server/engine/sql/field-sql.ts'

/** True when a role may filter, sort and search by a path. */
export const readablePath =
  (resource: AnyResource, role: Role): ((path: string) => boolean) =>
  (path) =>
    mayReadPath(resource, role, path)

/** Fields of a list's rows: what the role may read, without what only the single record carries. */
export const rowFields = (resource: AnyResource, role: Role): Fields =>
  Object.fromEntries(Object.entries(readableFields(resource, role)).filter(([, field]) => !field.detailOnly))

/** A part of a group as it stands in an answer: a reference brings the summary of its record along. */
const keysOf = (key: string, part: Field): string[][] => (pointsElsewhere(part) ? [[key], [summaryKey(key)]] : [[key]])

/** Parts of a group that a role may not read, as paths below the group. */
export function hiddenParts(field: Field, role: Role): string[][] {
  if (field.type !== 'group') return []
  return Object.entries(field.fields).flatMap(([key, part]) =>
    part.type === 'secret' || !mayRead(part, role) ? keysOf(key, part) : hiddenParts(part, role).map((rest) => [key, ...rest]),
  )
}
