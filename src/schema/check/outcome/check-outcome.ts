import { admits, type Value, valuesAt, verdictOf } from '#schema/check/check-steps.ts'
import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { isWritable } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { isTemplate, type Rule } from '#schema/rule.ts'

/** A value that an action sets, and the possible values before it. */
type Step = { name: string; to: Value; before: readonly Value[] }

const isConstant = (value: unknown): value is Value => (value === null || !isObject(value)) && !isTemplate(value)

function stepOf({ fields }: AnyResource, { when }: Action, name: string, to: Value): Step | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const values = valuesAt(fields, name)
  if (!field || !values) return undefined
  const leads = (from: Value) => field.type !== 'status' || (field.states[String(from)]?.next?.includes(String(to)) ?? false)
  return { name, to, before: values.filter((value) => value !== to && admits(when, name, value) && leads(value)) }
}

const isCertain = (fact: true | Rule | undefined, { name, to }: Step) => {
  if (fact === undefined || fact === true) return fact === true
  return !verdictOf(fact, name, to).canFail
}

const writes = (action: unknown, name: string) =>
  isObject(action) && [action.set, action.form, action.body].some((part) => isObject(part) && Object.hasOwn(part, name))

/** True when the field can have a value before the action: a form or action fills it in a state that shows it. */
function isFilledBefore(resource: AnyResource, name: string, field: Field, step: Step): boolean {
  const isOpen = isWritable(field, 'create') || Object.values(resource.actions ?? {}).some((one) => writes(one, name))
  return isOpen && step.before.some((value) => !field.when || admits(field.when, step.name, value))
}

/** Setting a value makes a field required that nothing fills: the server would reject every call. */
function checkFilled(report: Report, resource: AnyResource, path: string, action: Action, step: Step): void {
  for (const [name, field] of Object.entries(resource.fields)) {
    const isNeeded = isCertain(field.required, step) && (!field.when || isCertain(field.when, step))
    if (!isNeeded || (field.required === true && !field.when) || 'default' in field || field.derived) continue
    if (writes(action, name) || isFilledBefore(resource, name, field, step)) continue
    report(
      'required-unfilled',
      `${path}.set.${step.name}`,
      `with "${String(step.to)}" the record must have "${name}", which is empty until then, so the server refuses every call; add "${name}" to the form of the action, or to set`,
    )
  }
}

/** A constant written to an immutable or unique field. */
function checkKept(report: Report, { fields }: AnyResource, path: string, name: string, value: unknown): void {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field?.immutable)
    report('set-immutable', path, `"${name}" is immutable, and this writes it; drop it from set, or drop immutable`)
  else if (field?.unique && value !== null)
    report('set-unique', path, `"${name}" is unique, so the second record cannot have the same ${JSON.stringify(value)}`)
}

/** Checks the `set` values of an action without a handler: the resulting record must be valid. */
export function checkOutcome(report: Report, resource: AnyResource, path: string, action: Action): void {
  for (const [name, value] of entriesOf(action.set)) {
    if (!isConstant(value)) continue
    checkKept(report, resource, `${path}.set.${name}`, name, value)
    const step = action.on === 'list' ? undefined : stepOf(resource, action, name, value)
    if (step && step.before.length > 0) checkFilled(report, resource, path, action, step)
  }
}
