import { type Value, verdictOf } from '#schema/check/check-steps.ts'
import type { Report } from '#schema/check/report/report.ts'
import { fieldOf } from '#schema/definition.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import { isAlwaysRequired } from '#schema/form/conditions.ts'
import { startsOf } from '#schema/form/start-states.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, type Rule, topOf } from '#schema/rule.ts'

/** True for a field that an action sets or asks for. */
export const mentions = (resource: AnyResource, name: string) =>
  Object.values(resource.actions ?? {}).some(
    (action) =>
      isObject(action) && [action.set, action.form, action.body].some((part) => isObject(part) && Object.hasOwn(part, name)),
  )

/** True for a field that keeps its value of the new record: nothing but rules of the server could write it. */
function isFixed(resource: AnyResource, name: string): boolean {
  if (['updatedAt', 'updatedBy', 'version'].includes(name)) return false
  const field = fieldOf(resource, name)
  return (
    field === undefined ||
    field.immutable === true ||
    (field.readOnly === true && field.type !== 'count' && !mentions(resource, name))
  )
}

/** The parts of a rule that one field decides, as they are with a value of it. */
function decided(rule: Rule, name: string, value: Value): string {
  if ('all' in rule) return rule.all.map((part) => decided(part, name, value)).join()
  if ('any' in rule) return rule.any.map((part) => decided(part, name, value)).join()
  if ('not' in rule) return decided(rule.not, name, value)
  if (!fieldsOfRule(rule).includes(name)) return ''
  const { canHold, canFail } = verdictOf(rule, name, value)
  return canHold && canFail ? `it depends on ${value}` : String(canHold)
}

/** The states in which a record begins; null where it may have none. */
const firstOf = (field: FieldOf<'status'>): Value[] =>
  isAlwaysRequired(field) || field.default !== undefined ? [...startsOf(field)] : [...startsOf(field), null]

/** The steps of a status that can be the first to make a rule hold which did not hold in a new record. */
function stepsInto(rule: Rule, name: string, field: FieldOf<'status'>): [Value, string][] {
  const states = Object.keys(field.states)
  const open = firstOf(field)
  const found: [Value, string][] = []
  // The list grows while it is read: states that are reached while the value may be empty still.
  for (const from of open) {
    if (!verdictOf(rule, name, from).canFail) continue
    for (const to of from === null ? states : (field.states[String(from)]?.next ?? [])) {
      found.push([from, to])
      if (!open.includes(to)) open.push(to)
    }
  }
  return found
}

/** True when a change of the field may make a rule hold that did not hold before. */
function mayStart(resource: AnyResource, rule: Rule, path: string): boolean {
  const name = topOf(path)
  if (isFixed(resource, name)) return false
  const field = fieldOf(resource, name)
  if (field?.type !== 'status') return true
  return stepsInto(rule, name, field).some(
    ([from, to]) => verdictOf(rule, name, to).canHold && decided(rule, name, from) !== decided(rule, name, to),
  )
}

/** True for a rule that holds for every new record, so that the value is there from the beginning. */
const holdsFirst = ({ fields }: AnyResource, rule: Rule) =>
  Object.entries(fields).some(
    ([name, field]) => field.type === 'status' && firstOf(field).every((state) => !verdictOf(rule, name, state).canFail),
  )

/** A value that may be required later, when the form no longer takes it. */
export function checkImmutable(report: Report, resource: AnyResource, name: string, field: Field): void {
  const { immutable, required } = field
  if (!immutable || !isObject(required) || 'default' in field || holdsFirst(resource, required)) return
  const moving = fieldsOfRule(required).find((path) => mayStart(resource, required, path))
  if (moving !== undefined)
    report(
      'required-but-closed',
      `${resource.name}.fields.${name}.immutable`,
      `it may be required later, when "${moving}" changes, and then nobody can fill it in; drop immutable`,
    )
}
