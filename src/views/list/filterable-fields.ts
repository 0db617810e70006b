import { allFields } from '#schema/definition.ts'
import { type Field, type Fields, traitsOf } from '#schema/field-types.ts'
import { operatorsOf } from '#schema/list-query.ts'
import { isAllowed, type Permissions, permissionsIn } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { systemFields } from '#schema/resource.ts'
import { topOf } from '#schema/rule.ts'

/** A field with its path and label. */
export type FieldAt = { path: string; field: Field; inside?: Field | undefined }

/** All fields by path, with the parts of each group after it. */
const flatten = (fields: Fields, before = '', inside?: Field): FieldAt[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = before + name
    return [{ path, field, inside }, ...(field.type === 'group' ? flatten(field.fields, `${path}.`, field) : [])]
  })

/** Fields that a list may show or filter by: readable for the viewer and included in list answers. */
export function listFields(resource: AnyResource, permissions: Permissions): FieldAt[] {
  const { hidden } = permissionsIn(permissions, resource.name)
  const fields = allFields(resource)
  return flatten(fields).filter(({ path }) => {
    const owner = fields[topOf(path)]
    return owner && !owner.detailOnly && !owner.sortOnly && owner.type !== 'secret' && !hidden.includes(topOf(path))
  })
}

/** Fields that can be filtered by; references only when their target may be listed. */
export function filterableFields(resource: AnyResource, permissions: Permissions): FieldAt[] {
  return listFields(resource, permissions).filter(({ field, path }) => {
    if (path === 'id' || path === 'version' || operatorsOf(field).length === 0) return false
    if (field.type === 'tags') return field.options !== undefined
    return !('to' in field) || isAllowed(permissions, field.to, 'list')
  })
}

export const isSystem = (path: string) => Object.hasOwn(systemFields, path)

/** Fields that can be a column, the definition's before the system's; fields named by the definition always qualify. */
export function columnFields(resource: AnyResource, permissions: Permissions, named: readonly string[]): FieldAt[] {
  const suited = listFields(resource, permissions).filter(
    ({ field, path }) => named.includes(path) || (traitsOf(field).listed !== 'named' && path !== 'id'),
  )
  return [...suited.filter(({ path }) => !isSystem(path)), ...suited.filter(({ path }) => isSystem(path))]
}
