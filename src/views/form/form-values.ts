import type { Row } from '#fields/field-kind.ts'
import { PendingUpload } from '#fields/file/pending-upload.ts'
import { InvalidJson } from '#fields/structure/invalid-json.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { settledField } from '#schema/form/conditions.ts'
import { isComputed, presetValues } from '#schema/form/presets.ts'
import { isObject } from '#schema/is-object.ts'
import { holds, type RuleContext } from '#schema/rule.ts'

export type Values = Readonly<Record<string, unknown>>

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''
const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.getPrototypeOf(value) === Object.prototype

/** Equality of form values: absent, null and an empty text are equal, and so are empty groups. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (isNothing(a) && isNothing(b))) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isPlain(a) && !isPlain(b)) return false
  const left = isPlain(a) ? a : isNothing(a) ? {} : undefined
  const right = isPlain(b) ? b : isNothing(b) ? {} : undefined
  if (!left || !right) return false
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => isSame(left[key], right[key]))
}

const defaultOf = (field: Field): unknown => ('default' in field && !isComputed(field.default) ? (field.default ?? null) : null)

/** Initial values of an empty form; `known` is what its computed defaults may read beside them. */
export function defaultValues(fields: Fields, context: RuleContext, known: Values = {}): Values {
  const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, defaultOf(field)]))
  return { ...values, ...presetValues(fields, { ...known, ...values }, context) }
}

/** A record's part that a form edits. */
export const valuesOf = (fields: Fields, record: Row): Values =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, record[name] ?? null]))

/** The names of the values that differ from what they were. */
export const changedNames = (base: Values, values: Values): string[] =>
  Object.keys(values).filter((name) => !isSame(values[name], base[name]))

/** The fields whose `when` holds for the record as it would be, with the facts that are rules settled. `stored`: as it is now. */
export function visibleFields(fields: Fields, record: Row, context: RuleContext, stored?: Row): Fields {
  const shown = Object.entries(fields).filter(([, field]) => !field.when || holds(field.when, record, context))
  return Object.fromEntries(shown.map(([name, field]) => [name, settledField(field, { record, stored }, context)]))
}

/** Values that a picked record fills in: empty ones, and those of the previously picked record, are replaced. */
export function filled(values: Values, given: Values, before: Values = {}): Values {
  const taken = Object.entries(given).filter(
    ([name, value]) => !isNothing(value) && (isNothing(values[name]) || isSame(values[name], before[name])),
  )
  return { ...values, ...Object.fromEntries(taken) }
}

/** Names of values that differ from the picked record. */
export const keptNames = (values: Values, given: Values): string[] =>
  Object.keys(given).filter((name) => !isNothing(given[name]) && !isSame(values[name], given[name]))

export type Form = {
  /** The stored values known to this form. */
  base: Values
  values: Values
  version: number
}

/** Names that were changed here and differently there. */
export const conflictsOf = (form: Pick<Form, 'base' | 'values'>, theirs: Values): string[] =>
  changedNames(form.base, form.values).filter(
    (name) => !isSame(theirs[name], form.base[name]) && !isSame(theirs[name], form.values[name]),
  )

/**
 * A newer record under a form: untouched values follow it, changed ones stay. Where both sides changed one value the form keeps
 * its base and version, so that the server, and then the person, decides.
 */
export function mergeRecord(form: Form, theirs: Values, version: number): Form {
  if (version === form.version) return form
  const changed = new Set(changedNames(form.base, form.values))
  const conflicts = new Set(conflictsOf(form, theirs))
  const pick = (own: Values, keep: ReadonlySet<string>) =>
    Object.fromEntries(Object.keys(form.values).map((name) => [name, keep.has(name) ? own[name] : theirs[name]]))
  return {
    base: pick(form.base, conflicts),
    values: pick(form.values, changed),
    version: conflicts.size > 0 ? form.version : version,
  }
}

/** Rebases typed changes onto other values, part by part: untouched parts keep the new values. */
export function replay(over: unknown, base: unknown, typed: unknown): unknown {
  if (isSame(base, typed)) return over
  if (!isPlain(typed) || !isPlain(base) || !isPlain(over)) return typed
  const keys = new Set([...Object.keys(over), ...Object.keys(typed)])
  return Object.fromEntries([...keys].map((key) => [key, replay(over[key], base[key], typed[key])]))
}

/** Files and half-typed JSON as the schemas know them; a group that must be there is asked for its parts, not as a whole. */
export function checkable(value: unknown, field?: Field): unknown {
  if (field?.type === 'group' && field.required && isNothing(value)) return {}
  if (value instanceof File) return { name: value.name, sizeBytes: value.size, sha256: '' }
  if (value instanceof PendingUpload) return field?.type === 'files' ? [value.stand] : value.stand
  return value instanceof InvalidJson ? value.text : value
}
