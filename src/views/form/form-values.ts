import type { Row } from '#fields/field-kind.ts'
import { PendingUpload } from '#fields/file/pending-upload.ts'
import { InvalidJson } from '#fields/structure/invalid-json.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { settledField } from '#schema/form/conditions.ts'
import { ownRows } from '#schema/form/own-rows.ts'
import { constantDefault, presetValues } from '#schema/form/presets.ts'
import { removedSecret } from '#schema/form/removed-secret.ts'
import { isObject } from '#schema/is-object.ts'
import { holds, type RuleContext } from '#schema/rule.ts'

export type Values = Readonly<Record<string, unknown>>

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''
const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.getPrototypeOf(value) === Object.prototype

/** Equality of form values: absent, null, empty text and empty groups are equal. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (isNothing(a) && isNothing(b))) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isPlain(a) && !isPlain(b)) return false
  const left = isPlain(a) ? a : isNothing(a) ? {} : undefined
  const right = isPlain(b) ? b : isNothing(b) ? {} : undefined
  if (!left || !right) return false
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => isSame(left[key], right[key]))
}

/** Initial values of an empty form; computed defaults may read `known`. */
export function defaultValues(fields: Fields, context: RuleContext, known: Values = {}): Values {
  const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, constantDefault(field) ?? null]))
  return { ...values, ...presetValues(fields, { ...known, ...values }, context) }
}

/** The part of a record that a form edits. */
export const valuesOf = (fields: Fields, record: Row): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, ownRows(field, record[name]) ?? null]))

/** Names of the values that differ from the base. */
export const changedNames = (base: Values, values: Values): string[] =>
  Object.keys(values).filter((name) => !isSame(values[name], base[name]))

/** Fields whose `when` holds for the edited values, with rule-valued facts resolved. `stored`: the record as saved. */
export function visibleFields(fields: Fields, record: Row, context: RuleContext, stored?: Row): Fields {
  const shown = Object.entries(fields).filter(([, field]) => !field.when || holds(field.when, record, context))
  return Object.fromEntries(shown.map(([name, field]) => [name, settledField(field, { record, stored }, context)]))
}

/** Fills values from a picked record: replaces empty values and those filled by the previously picked record. */
export function filled(values: Values, given: Values, before: Values = {}): Values {
  const taken = Object.entries(given).filter(
    ([name, value]) => !isNothing(value) && (isNothing(values[name]) || isSame(values[name], before[name])),
  )
  return { ...values, ...Object.fromEntries(taken) }
}

/** Names of values that differ from the picked record's. */
export const keptNames = (values: Values, given: Values): string[] =>
  Object.keys(given).filter((name) => !isNothing(given[name]) && !isSame(values[name], given[name]))

export type Form = {
  /** The stored values known to this form. */
  base: Values
  values: Values
  version: number
}

/** Names changed on both sides, to different values. */
export const conflictsOf = (form: Pick<Form, 'base' | 'values'>, theirs: Values): string[] =>
  changedNames(form.base, form.values).filter(
    (name) => !isSame(theirs[name], form.base[name]) && !isSame(theirs[name], form.values[name]),
  )

/** Rebases typed changes onto other values, recursively: untouched parts keep the new values. */
export function replay(over: unknown, base: unknown, typed: unknown): unknown {
  if (isSame(base, typed)) return over
  if (!isPlain(typed) || !isPlain(base) || !isPlain(over)) return typed
  const keys = new Set([...Object.keys(over), ...Object.keys(typed)])
  return Object.fromEntries([...keys].map((key) => [key, replay(over[key], base[key], typed[key])]))
}

/**
 * Form values as the schemas expect them: files, invalid JSON, and an empty object for a required group, whose parts are then
 * checked.
 */
export function checkable(value: unknown, field?: Field): unknown {
  if (field?.type === 'secret' && value === removedSecret) return null
  if (field?.type === 'group' && field.required && isNothing(value)) return {}
  if (value instanceof File) return { name: value.name, sizeBytes: value.size, sha256: '' }
  if (value instanceof PendingUpload) return field?.type === 'files' ? [value.stand] : value.stand
  return value instanceof InvalidJson ? value.text : value
}
