import { admits, valuesAt } from '#schema/check/check-steps.ts'
import type { KnownNames } from '#schema/check/report/known-names.ts'
import type { Report } from '#schema/check/report/report.ts'
import { allFields, fieldOf, mayReadPath, mayWrite, rolesFor, rolesForAction } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { placesOf } from '#schema/format/filled-text.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { fieldsOfRule, type Rule } from '#schema/rule.ts'

/** A condition that a role's console cannot evaluate, because the role may not read the field. */
function checkAnswered(
  report: Report,
  resource: AnyResource,
  path: string,
  { when, roles }: { when: Rule; roles: readonly Role[] },
): void {
  for (const name of new Set(fieldsOfRule(when))) {
    if (!fieldOf(resource, name)) continue
    const blind = roles.filter((role) => !mayReadPath(resource, role, name))
    if (blind.length > 0)
      return report(
        'condition-unseen',
        path,
        `${blind.join(', ')} may not read "${name}", and the console asks it there; add the role to its access.read, or ask another field`,
      )
  }
}

/** Rules of `required` and `readOnly` that a form of a role cannot evaluate. */
function checkFactRules(report: Report, resource: AnyResource, name: string, field: Field): void {
  const roles = [...new Set([...rolesFor(resource, 'create'), ...rolesFor(resource, 'edit')])]
  for (const fact of ['required', 'readOnly'] as const) {
    const when = field[fact]
    if (when !== undefined && when !== true)
      checkAnswered(report, resource, `${resource.name}.fields.${name}.${fact}`, {
        when,
        roles: roles.filter((role) => mayWrite(field, role)),
      })
  }
}

/** Values of a sentence outside of brackets that a role does not read: it would see a hole. */
function checkSentences(report: Report, resource: AnyResource): void {
  const readers = rolesFor(resource, 'show')
  for (const [index, { when, text }] of (resource.why ?? []).entries()) {
    const path = `${resource.name}.why[${index}]`
    checkAnswered(report, resource, `${path}.when`, { when, roles: readers })
    const bare = String(text[0]).replaceAll(/\[[^\]]*\]/g, '')
    for (const name of new Set(placesOf(bare).map((place) => place.replace(/\.ago$/, '')))) {
      const blind = fieldOf(resource, name) ? readers.filter((role) => !mayReadPath(resource, role, name)) : []
      if (blind.length > 0)
        report(
          'text-unseen',
          `${path}.text`,
          `${blind.join(', ')} may not read "${name}"; put it in square brackets, which are left out there`,
        )
    }
  }
}

/** A `required` rule that holds only while the field is hidden. */
function checkRequired(report: Report, resource: AnyResource, path: string, { required, when }: Field): void {
  if (required === undefined || required === true || !when) return
  const both = { all: [required, when] }
  for (const name of new Set(fieldsOfRule(both))) {
    const values = valuesAt(allFields(resource), name)
    if (values && !values.some((value) => admits(both, name, value)))
      return report(
        'never-possible',
        `${path}.required`,
        `where it is required, \`when\` hides it: no value of "${name}" fulfils both; let them agree`,
      )
  }
}

/** Derived fields that no rule computes, and defaults made of the record's own id. */
function checkSource(report: Report, resource: AnyResource, name: string, field: Field, { computed }: KnownNames): void {
  const path = `${resource.name}.fields.${name}`
  const isComputed = [resource.name, resource.subset?.of ?? ''].some((one) => computed?.[one]?.includes(name))
  if (field.derived && computed && !isComputed && field.type !== 'count')
    report(
      'nothing-computes',
      `${path}.derived`,
      `no rule of the server computes it, so it is always empty; write \`derived: { ${name}: … }\` in the ResourceRules of ${resource.name}, or drop derived`,
    )
  if ('default' in field && String(field.default).includes('{id}'))
    report(
      'circular-default',
      `${path}.default`,
      'a record has no id before it is made, so it cannot begin with its own; drop it',
    )
}

/** Unreachable facts: conditions over unreadable fields, requirements of hidden ones, values that nothing computes. */
export function checkHidden(report: Report, resource: AnyResource, _all: unknown, known: KnownNames): void {
  const { name, fields, actions = {}, when = {} } = resource
  const readers = rolesFor(resource, 'show')
  for (const [key, field] of Object.entries(fields)) {
    const path = `${name}.fields.${key}`
    const roles = readers.filter((role) => mayReadPath(resource, role, key))
    if (field.when) checkAnswered(report, resource, `${path}.when`, { when: field.when, roles })
    checkFactRules(report, resource, key, field)
    checkRequired(report, resource, path, field)
    checkSource(report, resource, key, field, known)
  }
  checkSentences(report, resource)
  for (const [key, action] of Object.entries(actions))
    if (action.when && (action.on === undefined || action.on === 'record' || action.on === 'bulk'))
      checkAnswered(report, resource, `${name}.actions.${key}.when`, {
        when: action.when,
        roles: rolesForAction(resource, action).filter((role) => readers.includes(role)),
      })
  for (const verb of ['edit', 'delete'] as const) {
    const rule = when[verb]
    if (rule) checkAnswered(report, resource, `${name}.when.${verb}`, { when: rule, roles: rolesFor(resource, verb) })
  }
}
