import { cycleOf } from '#schema/check/report/dependency-cycle.ts'
import type { KnownNames } from '#schema/check/report/known-names.ts'
import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { baseNameOf, baseOf, type Definitions, isWritable, pathOf, rolesFor, sectionsOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import { checkImmutable, mentions } from './check-immutable.ts'

/** Records that people make; those of others come from the server itself. */
const isMade = (resource: AnyResource) => pathOf(resource, 'create') !== undefined && rolesFor(resource, 'create').length > 0

const isAsked = (field: Field) => field.required === true && isWritable(field, 'create') && !field.when && !('default' in field)

/** References that a new record must have, by the resource that they point to. */
const neededBy = ({ fields }: AnyResource, all: Definitions) =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.type === 'reference' && isAsked(field) ? [{ name, to: baseNameOf(all, field.to) }] : [],
  )

/** A required reference to its own resource, directly or by way of others: the first record would need one before it. */
function checkFirst(report: Report, resource: AnyResource, all: Definitions): void {
  if (resource.subset || !isMade(resource)) return
  const needs = (name: string) => {
    const other = all.get(name)
    return other && isMade(other) ? neededBy(other, all).map(({ to }) => to) : []
  }
  for (const { name, to } of neededBy(resource, all)) {
    const own = resource.name
    const cycle = to === own ? [own, own] : cycleOf(own, (one) => (one === own ? [to] : needs(one)))
    // One fault for a circle, in its first definition.
    if (cycle && [...all.keys()].find((one) => cycle.includes(one)) === own)
      report(
        'no-first-record',
        `${own}.fields.${name}.required`,
        `each record needs another one before it, so that there is no first one: ${cycle.join(' → ')}; drop required in one of them`,
      )
  }
}

/** A section with a condition hides its fields, and the server asks for the required ones all the same. */
function checkSections(report: Report, resource: AnyResource): void {
  for (const [key, section] of entriesOf(sectionsOf(resource))) {
    if (!isObject(section) || section.when === undefined || !Array.isArray(section.fields)) continue
    for (const name of section.fields.map(String)) {
      const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
      if (field && isAsked(field))
        report(
          'required-hidden',
          `${resource.name}.fields.${name}.required`,
          `it is asked for while its section "${key}" is hidden; give the field the same \`when\`, or require it by that rule`,
        )
    }
  }
}

/** True for a field that no form, no action and no rule of the server fills in. */
function isNeverSet(resource: AnyResource, name: string, field: Field, { handlers }: KnownNames): boolean {
  const isByServer = !handlers || [resource.name, baseOf(resource)].some((one) => handlers[one])
  const isOpen = field.readOnly !== true || field.derived || field.sortOnly || field.type === 'count'
  if (isOpen || isByServer || resource.subset || !isMade(resource) || Object.hasOwn(systemFields, name)) return false
  const fills = Object.values(resource.fields).some((other) => 'fills' in other && other.fills?.includes(name))
  return !fills && !mentions(resource, name)
}

const isMoved = (field: Field) => field.type === 'status' && Object.keys(field.states).length > 1

/** A status that nothing moves. */
function checkMoved(
  report: Report,
  resource: AnyResource,
  name: string,
  { field, known }: { field: Field; known: KnownNames },
) {
  if (isMoved(field) && isNeverSet(resource, name, field, known))
    report(
      'never-moves',
      `${resource.name}.fields.${name}.readOnly`,
      `no form and no action sets it, so that a record stays where it starts; ${remedy(name)}`,
    )
}

/** Fields that stay empty until somebody writes the rules of the server that fill them: a draft has such. */
export function remindOfEmpty(report: Report, resource: AnyResource, _all: Definitions, known: KnownNames): void {
  for (const [name, field] of Object.entries(resource.fields))
    if (!isMoved(field) && !('default' in field) && isNeverSet(resource, name, field, known))
      report(
        'nothing-writes',
        `${resource.name}.fields.${name}.readOnly`,
        `no form, no action and no default fills it, so that it is always empty; ${remedy(name)}`,
      )
}

const remedy = (name: string) => `name "${name}" in \`set\` of an action, write ResourceRules that set it, or drop readOnly`

/** Fields that are never filled in, and records that can never be made. */
export function checkWritten(report: Report, resource: AnyResource, all: Definitions, known: KnownNames): void {
  checkFirst(report, resource, all)
  checkSections(report, resource)
  for (const [name, field] of Object.entries(resource.fields)) {
    checkImmutable(report, resource, name, field)
    checkMoved(report, resource, name, { field, known })
  }
}
