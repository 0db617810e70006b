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

/** Fields of list rows: readable for the role, without those of the single record only. */
export const rowFields = (resource: AnyResource, role: Role): Fields =>
  Object.fromEntries(Object.entries(readableFields(resource, role)).filter(([, field]) => !field.detailOnly))

/** Keys of a group's part in an answer: a reference also has its embedded summary. */
const keysOf = (key: string, part: Field): string[][] => (pointsElsewhere(part) ? [[key], [summaryKey(key)]] : [[key]])

/** Parts of a group that a role may not read, as paths below the group. */
export function hiddenParts(field: Field, role: Role): string[][] {
  if (field.type !== 'group') return []
  return Object.entries(field.fields).flatMap(([key, part]) =>
    part.type === 'secret' || !mayRead(part, role) ? keysOf(key, part) : hiddenParts(part, role).map((rest) => [key, ...rest]),
  )
}
