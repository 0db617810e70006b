import type { Handlers } from '#schema/check/check-effects.ts'
import { checkConstant, valueKindOf } from '#schema/check/check-values.ts'
import { entriesOf, newCount, type Report } from '#schema/check/report/report.ts'
import { baseOf } from '#schema/definition.ts'
import { choicesIn } from '#schema/facts/choices.ts'
import { faultsOf, faultText } from '#schema/faults.ts'
import type { Field } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { isTemplate } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'

/** A constant of the right kind that the field does not take. References are ids, which no definition knows. */
function checkBounds(report: Report, path: string, field: Field, value: unknown): void {
  const counted = newCount(() => undefined)
  checkConstant(counted.report, path, field, value)
  if (counted.count() > 0 || valueKindOf(field) === 'none' || field.type === 'reference') return
  const { error } = valueSchema(field).safeParse(value, { reportInput: true })
  if (error)
    report(
      'set-refused',
      path,
      `the field does not take ${JSON.stringify(value)}, so the server refuses every call: ${faultsOf(error)
        .map((fault) => faultText(fault, 'en'))
        .join('; ')}`,
    )
}

function checkSet(report: Report, { fields }: AnyResource, path: string, { set }: Action): void {
  for (const [name, value] of entriesOf(set)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field || field.derived || field.type === 'count' || isTemplate(value)) continue
    const at = `${path}.set.${name}`
    if (value !== null) checkBounds(report, at, field, value)
    else if (field.required === true && !field.when)
      report('set-refused', at, `"${name}" is required, so the server refuses every call; set a value, or drop required`)
  }
}

const bounds = [
  ['max', (form: number, own: number) => form > own],
  ['maxLength', (form: number, own: number) => form > own],
  ['min', (form: number, own: number) => form < own],
  ['minLength', (form: number, own: number) => form < own],
] as const

/** The fact by which a field of a form takes values that the record's field of the same name does not. */
function looserFact(form: Field, own: Field): { fact: string; message: string } | undefined {
  for (const [fact, isLooser] of bounds) {
    const [asked, kept] = [Reflect.get(form, fact), Reflect.get(own, fact)]
    if (typeof asked === 'number' && typeof kept === 'number' && isLooser(asked, kept))
      return { fact, message: `${fact} is ${kept} there, and ${asked} here` }
  }
  const [asked, kept] = [choicesIn(form), choicesIn(own)]
  const strange = kept && asked?.find((choice) => !kept.includes(choice))
  if (strange !== undefined) return { fact: 'options', message: `the record has no "${strange}"` }
  const [currency, other] = [Reflect.get(form, 'currency'), Reflect.get(own, 'currency')]
  return typeof currency === 'string' && typeof other === 'string' && currency !== other
    ? { fact: 'currency', message: `amounts are in ${other} there, and in ${currency} here` }
    : undefined
}

function checkForm(report: Report, { fields }: AnyResource, path: string, { form }: Action): void {
  for (const [name, field] of Object.entries(form ?? {})) {
    const own = Object.hasOwn(fields, name) ? fields[name] : undefined
    const looser = own && isObject(field) ? looserFact(field, own) : undefined
    if (looser)
      report(
        'form-field-looser',
        `${path}.form.${name}.${looser.fact}`,
        `the field of the record refuses what this takes: ${looser.message}; let both agree`,
      )
  }
}

/** Values that an action without a handler writes, and that the record's fields refuse. */
export function checkWrittenValues(report: Report, resource: AnyResource, handlers: Handlers | undefined): void {
  for (const [name, action] of Object.entries(resource.actions ?? {})) {
    if (!isObject(action) || action.through) continue
    const path = `${resource.name}.actions.${name}`
    const isHandled = !handlers || [resource.name, baseOf(resource)].some((one) => handlers[one]?.includes(name))
    checkSet(report, resource, path, action)
    if (isHandled) continue
    checkForm(report, resource, path, action)
    if (action.on === 'list' && action.call === undefined && isObject(action.set ?? action.form))
      report(
        'does-nothing',
        `${path}.on`,
        "an action of a list has no record that it could change; write its handler, or say on: 'bulk' or on: 'record'",
      )
  }
}
