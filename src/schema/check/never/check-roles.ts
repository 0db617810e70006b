import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { pathOf, rolesFor } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0

/** Lists of roles that name none. */
function checkEmpty(report: Report, resource: AnyResource): void {
  const { name, fields, tabs, list, figures } = resource
  const nobody = (path: string, roles: unknown, remedy: string) => {
    if (isEmpty(roles)) report('no-roles', `${name}.${path}`, `it names no role, so it is nobody's; ${remedy}`)
  }
  // A resource without calls exists for the references to it.
  const isSeen = pathOf(resource, 'list') !== undefined || pathOf(resource, 'show') !== undefined
  if (isSeen && isEmpty(resource.access?.list) && isEmpty(rolesFor(resource, 'show')))
    report('no-roles', `${name}.access.list`, 'no role may see a record; name roles, or delete the definition')
  for (const [key, field] of Object.entries(fields)) {
    const access = isObject(field) && isObject(field.access) ? field.access : undefined
    nobody(`fields.${key}.access.read`, access?.read, "name roles, drop it, or take type: 'secret'")
    if (!field.required) nobody(`fields.${key}.access.write`, access?.write, 'name roles, or say readOnly: true')
  }
  for (const [place, parts] of entriesOf({ tabs, 'list.views': list?.views, figures }))
    for (const [key, part] of entriesOf(parts))
      nobody(`${place}.${key}.roles`, isObject(part) ? part.roles : undefined, 'name roles, or drop it')
}

/** Roles that make records which they then may not see: the answer to their request would be one. */
function checkMakers(report: Report, resource: AnyResource): void {
  if (pathOf(resource, 'create') === undefined || pathOf(resource, 'show') === undefined) return
  const blind = rolesFor(resource, 'create').filter(
    (role) => !rolesFor(resource, 'show').includes(role) && !rolesFor(resource, 'list').includes(role),
  )
  if (blind.length > 0)
    report(
      'acts-unseen',
      `${resource.name}.access.create`,
      `${blind.join(', ')} may create but not see the record; add the role to access.show, with a \`scope\` where it sees only its own`,
    )
}

/** Permissions that nobody has, or that lead to what their owner may not see. */
export function checkRoles(report: Report, resource: AnyResource): void {
  checkEmpty(report, resource)
  checkMakers(report, resource)
}
