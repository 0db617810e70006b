import { rolesForAction } from '#schema/definition.ts'
import { type Fields, holdsFiles } from '#schema/field-types.ts'
import { isRequired } from '#schema/form/conditions.ts'
import { openForm } from '#schema/form/open-form.ts'
import { writableFields } from '#schema/record-schema.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { resolveValue } from '#schema/rule.ts'
import { fittingForm, nobody } from './fitting.ts'
import { isReference, type Maker } from './maker.ts'
import type { Json } from './proven.ts'
import { sampleOf } from './samples.ts'
import { Unmade } from './transport.ts'

/** Values that the action sets, beside those of its form. */
const writtenBy = ({ set = {} }: Action, record: Json): Json =>
  Object.fromEntries(
    Object.entries(set)
      .filter(([, value]) => !String(value).startsWith('$form.'))
      .map(([name, value]) => [name, resolveValue(value, record, nobody)]),
  )

/** Values of the form of an action: those that it has to have, and those by which the record keeps its rules with them. */
export async function formValues(
  maker: Maker,
  of: AnyResource,
  { action, role, record }: { action: Action; role: Role; record: Json },
): Promise<Json> {
  const form: Fields = openForm(maker.proven.definitions, of, action, role)
  const values: Json = {}
  const set = writtenBy(action, record)
  const allowed = rolesForAction(of, action)
  // A role that the action refuses sends the file that another one has uploaded: the refusal is that of the action.
  const uploader = allowed.includes(role) ? role : (allowed[0] ?? role)
  for (const [name, field] of Object.entries(form)) {
    if ('default' in field || !isRequired(field, { ...record, ...set, ...values }, nobody)) continue
    const making = { as: holdsFiles(field) ? uploader : role, depth: 0, values: { ...record, ...values } }
    const value =
      isReference(field) || holdsFiles(field) ? await maker.valueOf(of, name, field, making) : sampleOf(field, maker.next())
    if (value !== undefined) values[name] = value
  }
  return fittedOf(of, { record: { ...record, ...set }, values, form }, maker.next())
}

/** Values of a form by which the record keeps its rules. Throws `Unmade` where a search finds none. */
function fittedOf(of: AnyResource, given: Parameters<typeof fittingForm>[1], seed: number): Json {
  const fitted = fittingForm(of, given, seed)
  if (!fitted) throw new Unmade('no made-up values of its form keep the rules of the definition beside the record')
  return fitted
}

/** Values of every field of the form that a rule of the server may ask for though the definition does not: texts that say why. */
export const reasons = (action: Action, seed: number): Json =>
  Object.fromEntries(
    Object.entries(action.form ?? {}).flatMap(([name, field]) =>
      field.type === 'text' && field.required !== true && !field.when ? [[name, sampleOf(field, seed)]] : [],
    ),
  )

/** Values that a form has to have in a state, and the record does not have yet. */
export async function askedValues(
  maker: Maker,
  of: AnyResource,
  { state, to, role, record }: { state: string; to: string | undefined; role: Role; record: Json },
): Promise<Json> {
  const values: Json = {}
  for (const [name, field] of Object.entries(writableFields(of, 'edit', role))) {
    const next = { ...record, ...values, [state]: to }
    const isAsked = field.required !== undefined && field.required !== true && isRequired(field, next, nobody)
    if (!isAsked || (record[name] ?? null) !== null) continue
    const value = (await maker.valueOf(of, name, field, { as: role, depth: 0, values: next })) ?? sampleOf(field, maker.next())
    if (value !== undefined) values[name] = value
  }
  return values
}

/** Values of the edit form that leads to a state: what it asks for there, and what rules tie to the state. */
export async function stateValues(
  maker: Maker,
  of: AnyResource,
  given: { state: string; to: string | undefined; role: Role; record: Json },
): Promise<Json> {
  const { state, to, role, record } = given
  const asked = await askedValues(maker, of, given)
  const open = Object.entries(writableFields(of, 'edit', role)).filter(
    ([name, { when, readOnly }]) => name !== state && !when && !readOnly,
  )
  return fittedOf(of, { record, values: { ...asked, [state]: to }, form: Object.fromEntries(open) }, maker.next())
}
