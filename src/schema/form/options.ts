import { type Definitions, pathOf } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field } from '#schema/field-types.ts'
import { type ListQuery, parseListQuery, type QueryInput } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'

const placeholder = /\{([\w.]+)\}/g

/** Parents: fields that the options depend on, from the placeholders. */
export const parentsOf = (options: string): string[] => [...options.matchAll(placeholder)].map(([, name = '']) => name)

/** List parameters that take a parent's value: `ownerId={clientId}` has the key `ownerId`. */
export const dependenciesOf = (options: string): { key: string; parent: string }[] =>
  [...options.matchAll(/[?&]([\w.]+)=\{([\w.]+)\}/g)].map(([, key = '', parent = '']) => ({ key, parent }))

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? `${value}`
      : undefined

/** Options path with placeholders filled; undefined while a parent has no value. */
export function filledOptions(options: string, values: unknown): string | undefined {
  let isOpen = true
  const path = options.replace(placeholder, (_, name: string) => {
    const text = asText(valueAt(values, name))
    isOpen &&= text !== undefined
    return encodeURIComponent(text ?? '')
  })
  return isOpen ? path : undefined
}

const headOf = (options: string) => options.split('?')[0] ?? ''

/** The resource whose list provides the options; undefined for a route of server rules. */
export const listedBy = (definitions: Definitions, options: string): AnyResource | undefined =>
  [...definitions.values()].find((resource) => pathOf(resource, 'list') === headOf(options))

function queryOf(path: string): QueryInput {
  const params = new URLSearchParams(path.split('?').slice(1).join('?'))
  return Object.fromEntries([...new Set(params.keys())].map((key) => [key, params.getAll(key)]))
}

/** List query of filled options, and its faults. */
export const optionsQuery = (list: AnyResource, path: string): { query: ListQuery; faults: readonly unknown[] } =>
  parseListQuery(list, queryOf(path))

/** The options of a reference field; undefined for any other. */
export const optionsOf = (field: Field): string | undefined => (isReference(field) ? field.options : undefined)
