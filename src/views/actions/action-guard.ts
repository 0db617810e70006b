import '#schema/later/action-forms.ts'
import { dangerPart } from '#schema/danger-part.ts'
import type { Guard } from '#schema/facts/action-facts.ts'
import { dangersOf, type Field, type Fields } from '#schema/field-types.ts'
import { valueAt } from '#schema/rule.ts'
import { composed, filled, type Label, say } from '#schema/words.ts'
import { type Form, isSame, type Values } from '#views/form/form-values.ts'

const valuesIn = (values: Values, group: string): Values => Object(values[group])

/** Names of the guarded values, from the answer that fills the form. */
const guarded = ({ fields }: Guard, from: unknown): readonly string[] => {
  const names = valueAt(from, fields)
  return Array.isArray(names) ? names.map(String) : []
}

/** The form with guarded values read-only, and the reason, when the viewer may not change them. */
export function lockGuarded(form: Fields, guard: Guard | undefined, from: unknown): Fields {
  if (!guard) return form
  const group = form[guard.group]
  const refusal = valueAt(from, guard.refusal)
  if (group?.type !== 'group' || typeof refusal !== 'string') return form
  const help = guard.refusals[refusal]
  const names = new Set(guarded(guard, from))
  return { ...form, [guard.group]: { ...group, fields: withLocked(group.fields, names, help) } }
}

/** In a list with dangerous parts only those parts are locked. */
function withLocked(fields: Fields, names: ReadonlySet<string>, help: Label | undefined): Fields {
  const lock = (field: Field): Field =>
    field.type === 'list' && !field.danger
      ? { ...field, fields: withLocked(field.fields, new Set(dangersOf(field.fields)), help) }
      : { ...field, readOnly: true, ...(help ? { help } : {}) }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, names.has(name) ? lock(field) : field]))
}

/** Names of the guarded values that change: only then a typed confirmation is required. */
export function touchedNames(
  form: Fields,
  guard: Guard,
  { base, values }: Pick<Form, 'base' | 'values'>,
  from: unknown,
): string[] {
  const [before, after] = [valuesIn(base, guard.group), valuesIn(values, guard.group)]
  const group = form[guard.group]
  const fields = group?.type === 'group' ? group.fields : {}
  return guarded(guard, from).filter((name) => {
    const field = fields[name]
    const part = (value: unknown) => (field?.type === 'list' ? dangerPart(field, value) : value)
    return !isSame(part(before[name]), part(after[name]))
  })
}

const beside = (help: Label | undefined, question: Label): Label =>
  help ? composed((language) => `${say(help, language)}. ${say(question, language)}`) : question

/** The form with the question of the guard at each guarded value that changes. */
function withQuestion(fields: Fields, name: string, names: readonly string[], help: Label): Fields {
  const group = fields[name]
  if (group?.type !== 'group') return fields
  const asked = names.flatMap((part) =>
    group.fields[part] ? [[part, { ...group.fields[part], help: beside(group.fields[part].help, help) }] as const] : [],
  )
  return { ...fields, [name]: { ...group, fields: { ...group.fields, ...Object.fromEntries(asked) } } }
}

/** The form with the confirmation field: required after a guarded value changes, absent otherwise. */
export function withConfirmation(fields: Fields, guard: Guard | undefined, word: string, touched: readonly string[]): Fields {
  const field = guard && fields[guard.confirm]
  if (!guard || !field) return fields
  const { [guard.confirm]: _, ...others } = fields
  if (touched.length === 0) return others
  const help = filled(guard.ask, { value: word })
  return { ...withQuestion(others, guard.group, touched, help), [guard.confirm]: { ...field, required: true, help } }
}
