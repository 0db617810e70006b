import type { Fields } from '#schema/field-types.ts'
import { valueAt } from '#schema/rule.ts'
import { changedNames, conflictsOf, type Form, type Values } from '#views/form/form-values.ts'

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

/** Their values with our changes; `chosen` resolves conflicts by path. */
export function mergeParts(
  fields: Fields,
  { base, values }: Pick<Form, 'base' | 'values'>,
  theirs: Values,
  chosen: Values,
): Values {
  const paths = Object.keys(partsOf(fields))
  const mine = flat(paths, values)
  const own = changedParts(fields, { base, values }).map((path) => [path, mine[path]] as const)
  const over: Values = { ...Object.fromEntries(own), ...chosen }
  const at = (path: string) => (Object.hasOwn(over, path) ? over[path] : (valueAt(theirs, path) ?? null))
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.type === 'group'
        ? Object.fromEntries(Object.keys(field.fields).map((part) => [part, at(`${name}.${part}`)]))
        : at(name),
    ]),
  )
}
