import { choicesIn } from './facts/choices.ts'
import type { Field, Fields } from './field-types.ts'
import { isObject } from './is-object.ts'

/** Former names of a field or resource, most recent first. */
export const namesBefore = ({ was }: { was?: string | readonly string[] }): readonly string[] =>
  typeof was === 'string' ? [was] : (was ?? [])

/** Current name of a field by any former name: old journal entries keep the names of their time. */
export const presentName = (fields: Fields, name: string): string =>
  Object.hasOwn(fields, name)
    ? name
    : (Object.entries(fields).find(([, field]) => namesBefore(field).includes(name))?.[0] ?? name)

/** The same for a path: `site.city` of a group or a part that was called otherwise. */
export function presentPath(fields: Fields, path: string): string {
  const [head = '', ...rest] = path.split('.')
  const name = presentName(fields, head)
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (rest.length === 0) return name
  return `${name}.${presentPath(field && 'fields' in field ? field.fields : {}, rest.join('.'))}`
}

/** The field of earlier definitions that a field was, by its present or a former name. */
export const fieldBefore = (before: Fields, name: string, field: Field): Field | undefined =>
  [name, ...namesBefore(field)].map((known) => before[known]).find(Boolean)

/** Current name of a resource by any former name. */
export const presentKind = (definitions: ReadonlyMap<string, { was?: string | readonly string[] }>, kind: string): string =>
  definitions.has(kind) ? kind : ([...definitions].find(([, one]) => namesBefore(one).includes(kind))?.[0] ?? kind)

/**
 * A value with the current keys of its choices in the place of former ones: old journal entries keep the keys of their time. A
 * key that is one of today is taken for that.
 */
export function presentChoices(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => presentChoices(field, item))
  if ('fields' in field && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        const own = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined
        return [name, own ? presentChoices(own, part) : part]
      }),
    )
  const were =
    'choicesWere' in field && !choicesIn(field)?.includes(String(value)) ? Object.entries(field.choicesWere ?? {}) : []
  return were.find(([, former]) => former === value)?.[0] ?? value
}
