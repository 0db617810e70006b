import type { Row } from '#fields/field-kind.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { valueAt } from '#schema/rule.ts'
import { changedNames, conflictsOf, type Form, isSame, type Values } from '#views/form/form-values.ts'

/** Form fields with groups flattened, by path: two users seldom change the same part of a group. */
export const partsOf = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.type === 'group'
        ? Object.entries(field.fields).map(([part, inner]) => [`${name}.${part}`, inner])
        : [[name, field]],
    ),
  )

const flat = (paths: readonly string[], values: Values): Values =>
  Object.fromEntries(paths.map((path) => [path, valueAt(values, path) ?? null]))

/** Paths whose values differ from the base. */
export function changedParts(fields: Fields, { base, values }: Pick<Form, 'base' | 'values'>): string[] {
  const paths = Object.keys(partsOf(fields))
  return changedNames(flat(paths, base), flat(paths, values))
}

/** Paths changed on both sides, to different values. */
export function partConflicts(fields: Fields, form: Pick<Form, 'base' | 'values'>, theirs: Values): string[] {
  const paths = Object.keys(partsOf(fields))
  return conflictsOf({ base: flat(paths, form.base), values: flat(paths, form.values) }, flat(paths, theirs))
}

/** `over`, with the named paths taken from `own`. A group without a value in any part is none. */
function withPaths(fields: Fields, over: Values, own: Values, paths: ReadonlySet<string>): Values {
  const merged = (name: string, field: Field | undefined): unknown => {
    if (field?.type !== 'group') return paths.has(name) ? own[name] : over[name]
    const taken = Object.keys(field.fields).filter((part) => paths.has(`${name}.${part}`))
    if (taken.length === 0) return over[name]
    const parts = taken.map((part) => [part, valueAt(own, `${name}.${part}`) ?? null])
    const group = { ...(isObject(over[name]) ? over[name] : {}), ...Object.fromEntries(parts) }
    return isSame(group, null) ? null : group
  }
  return Object.fromEntries(Object.keys(over).map((name) => [name, merged(name, fields[name])]))
}

/** Their values with our changes; `chosen` resolves conflicts by path. */
export function mergeParts(
  fields: Fields,
  { base, values }: Pick<Form, 'base' | 'values'>,
  theirs: Values,
  chosen: Values,
): Values {
  const whole = { ...Object.fromEntries(Object.keys(fields).map((name) => [name, null])), ...theirs }
  const mine = withPaths(fields, whole, values, new Set(changedParts(fields, { base, values })))
  const decided = Object.entries(chosen).reduce<Row>((all, [path, value]) => put(all, path.split('.'), value), {})
  return withPaths(fields, mine, decided, new Set(Object.keys(chosen)))
}

const put = (row: Row, [name = '', ...rest]: readonly string[], value: unknown): Row => ({
  ...row,
  [name]: rest.length > 0 ? put(isObject(row[name]) ? row[name] : {}, rest, value) : value,
})

/**
 * Three-way merge of a newer record into a form: untouched values follow it, changed ones stay, part by part in a group. With a
 * conflict the form keeps its base and version, so that the server rejects it and the user decides.
 */
export function mergeRecord(fields: Fields, form: Form, theirs: Values, version: number): Form {
  if (version === form.version) return form
  const conflicts = new Set(partConflicts(fields, form, theirs))
  return {
    base: withPaths(fields, theirs, form.base, conflicts),
    values: withPaths(fields, theirs, form.values, new Set(changedParts(fields, form))),
    version: conflicts.size > 0 ? form.version : version,
  }
}
