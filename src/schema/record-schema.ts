import { z } from 'zod'
import { isUnanswered, isWritable, mayRead, mayWrite } from './definition.ts'
import type { Template } from './facts/action-facts.ts'
import { type Fault, faultsOf } from './faults.ts'
import { type Field, type Fields, isSentAlone } from './field-types.ts'
import { isAlwaysRequired, isRequired } from './form/conditions.ts'
import { isEmpty } from './form/is-empty.ts'
import { decimalsOf } from './format/exact.ts'
import { isCurrency, moneyDigits } from './format/money.ts'
import { type Action, type AnyResource, systemFields } from './resource.ts'
import type { Role } from './roles.ts'
import { holds, isTemplate, type RuleContext, valueAt } from './rule.ts'
import { valueSchema } from './value-schema.ts'

/** Fields that a role may write in a form, in definition order. Beside a file that is sent alone nothing can be sent. */
export function writableFields(resource: AnyResource, action: 'create' | 'edit', role: Role): Fields {
  const open = Object.entries(resource.fields).filter(([, field]) => isWritable(field, action) && mayWrite(field, role))
  const alone = action === 'create' ? open.filter(([, field]) => isSentAlone(field)) : []
  return Object.fromEntries(alone.length > 0 ? alone : open)
}

/** Fields that a role may read, including derived and system fields. */
export function readableFields(resource: AnyResource, role: Role): Fields {
  const own = Object.entries(resource.fields).filter(([, field]) => !isUnanswered(field) && mayRead(field, role))
  return { ...Object.fromEntries(own), ...systemFields }
}

const forCreate = (field: Field) =>
  isAlwaysRequired(field) && !('default' in field) ? valueSchema(field) : valueSchema(field).nullish()
const forEdit = (field: Field) => (isAlwaysRequired(field) ? valueSchema(field).optional() : valueSchema(field).nullish())

/** Body of POST: required fields must be present; unknown keys are faults. */
export const createSchema = (fields: Fields) =>
  z.strictObject(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, forCreate(field)])))

/** Body of PUT: any of the fields, and the version that was read. */
export const editSchema = (fields: Fields) =>
  z.strictObject({
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, forEdit(field)])),
    version: z.int().min(1),
  })

const named = z.union([z.string().min(1).max(250), z.number(), z.boolean()])

/** Constants of `body` and the browser's zone are optional in a request; values taken from a row are required. */
const ofBody = (value: Template) => {
  if (value === '$zone') return z.string().max(250).nullish()
  return isTemplate(value) ? named : z.literal(value).nullish()
}

/** Body of an action: form fields and `body` values. */
export const actionSchema = (action: Action) =>
  z.strictObject({
    ...Object.fromEntries(Object.entries(action.form ?? {}).map(([name, field]) => [name, forCreate(field)])),
    ...Object.fromEntries(Object.entries(action.body ?? {}).map(([name, value]) => [name, ofBody(value)])),
    version: z.int().min(1).optional(),
  })

/** A record in an answer: all readable fields, null for empty. Loose, because summaries are embedded. */
export const answerSchema = (fields: Fields) =>
  z.looseObject(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueSchema(field).nullish()])))

/** Amounts with more decimals than the currency beside them: in a record, a group, or a row of a list. */
function moneyFaults(fields: Fields, record: unknown, prefix = ''): Fault[] {
  return Object.entries(fields).flatMap(([name, field]): Fault[] => {
    if (field.type !== 'group' && field.type !== 'list' && field.type !== 'money') return []
    const path = `${prefix}${name}`
    const value = valueAt(record, name)
    if (field.type === 'group') return moneyFaults(field.fields, value, `${path}.`)
    if (field.type === 'list')
      return Array.isArray(value) ? value.flatMap((row, index) => moneyFaults(field.fields, row, `${path}.${index}.`)) : []
    if (field.currencyOf === undefined) return []
    const currency = valueAt(record, field.currencyOf)
    if (typeof value !== 'number' || !isCurrency(currency)) return []
    const digits = moneyDigits({ ...field, currency })
    return decimalsOf(value) > digits ? [{ path, code: 'too-many-decimals', params: { digits } }] : []
  })
}

/**
 * Faults that need the whole record: rules in `required` and `when`, amounts against their currency, and the definition's
 * rules. `record` has every field.
 */
export function ruleFaults(
  resource: AnyResource,
  record: Readonly<Record<string, unknown>>,
  context: RuleContext,
): (Fault & { rule?: number })[] {
  const needed = Object.entries(resource.fields).filter(
    ([, field]) => field.required && !isAlwaysRequired(field) && isRequired(field, record, context),
  )
  const empty = needed.filter(([name]) => isEmpty(record[name]))
  const broken = (resource.rules ?? []).flatMap(({ rule, at }, index) =>
    holds(rule, record, context) ? [] : [{ path: at, code: 'rule', rule: index }],
  )
  return [...empty.map(([path]) => ({ path, code: 'required' })), ...moneyFaults(resource.fields, record), ...broken]
}

export type Checked = { ok: true; value: Record<string, unknown> } | { ok: false; faults: Fault[] }

/** Validates input: returns the parsed value or all faults. */
export function check(schema: z.ZodType, input: unknown): Checked {
  const result = schema.safeParse(input, { reportInput: true })
  if (!result.success) return { ok: false, faults: faultsOf(result.error) }
  return { ok: true, value: { ...(result.data as object) } }
}
