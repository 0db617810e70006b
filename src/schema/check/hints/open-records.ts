import type { Report } from '#schema/check/report/report.ts'
import { isWritable, mayReadPath, rolesFor } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { fieldsOfRule, topOf } from '#schema/rule.ts'

/** Clients must not see each other's records: a resource without a client scope is worth a hint. */
export function remindOfClients(report: Report, resource: AnyResource): void {
  if (rolesFor(resource, 'list').includes('client') && !resource.scope?.client)
    report(
      'client-unscoped',
      `${resource.name}.access.list`,
      "every client sees the records of all others; limit them by scope: { client: { field: 'clientId', op: 'eq', value: '$user.id' } }",
    )
}

/** A scope by a field that its role may not read: rows appear and disappear without a visible reason. */
export function remindOfScopes(report: Report, resource: AnyResource): void {
  for (const [role, rule] of Object.entries(resource.scope ?? {})) {
    const closed = fieldsOfRule(rule).find((path) => !mayReadPath(resource, role as Role, path))
    if (closed !== undefined)
      report(
        'scope-unseen',
        `${resource.name}.scope.${role}`,
        `${role} may not read "${closed}", by which its records are chosen; add the role to its access.read`,
      )
  }
}

/** A rule's message needs a field that a form shows. */
export function remindOfPlaces(report: Report, { name, fields, rules = [], actions = {} }: AnyResource): void {
  for (const [index, { at }] of rules.entries()) {
    const top = topOf(at)
    const field = Object.hasOwn(fields, top) ? fields[top] : undefined
    const isAsked = Object.values(actions).some(({ form }) => form && Object.hasOwn(form, top))
    if (field && !isAsked && !isWritable(field, 'create') && !isWritable(field, 'edit'))
      report(
        'rule-unseen',
        `${name}.rules[${index}].at`,
        `no form has "${at}", so nobody can mend it there; name a field that the rule reads and a form has`,
      )
  }
}

/** A title that may be empty leaves records without a name in lists, headings and references. */
export function remindOfTitles(report: Report, { name, title, fields }: AnyResource): void {
  const field = title !== undefined && Object.hasOwn(fields, title) ? fields[title] : undefined
  if (field && field.required === undefined && !field.derived && !field.readOnly && !('default' in field))
    report(
      'title-optional',
      `${name}.title`,
      `"${title}" may be empty, and such a record has no name; say required: true, or take another title`,
    )
}
