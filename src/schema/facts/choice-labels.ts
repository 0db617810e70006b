import type { Field } from '#schema/field-types.ts'

/** English labels of a field's choices, by choice. */
export function choiceLabels(field: Field): ReadonlyMap<string, string> {
  if (field.type === 'status') return new Map(Object.entries(field.states).map(([key, { label }]) => [key, label[0]]))
  const options = field.type === 'enum' || field.type === 'tags' || field.type === 'integer' ? (field.options ?? []) : []
  const entries: [string, unknown][] = Array.isArray(options)
    ? options.map((key) => [String(key), [key]])
    : Object.entries(options)
  return new Map(entries.map(([key, label]) => [key, Array.isArray(label) ? String(label[0]) : key]))
}
