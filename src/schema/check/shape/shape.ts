import { labelFault } from '#schema/check/report/report.ts'
import { menuGroups } from '#schema/facts/menu-facts.ts'
import { traits } from '#schema/field-types.ts'
import { currencies } from '#schema/format/money.ts'
import { units } from '#schema/format/units.ts'
import { isObject } from '#schema/is-object.ts'
import { roles } from '#schema/roles.ts'
import table from './shapes.json' with { type: 'json' }

/** A type of the language of definitions as data. A key with a question mark may be absent. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'label'
  | 'any'
  | { is: readonly unknown[] }
  | { list: Shape }
  | { parts: readonly Shape[] }
  | { map: Shape; among?: string }
  | { keys: Readonly<Record<string, Shape>> }
  | { any: readonly Shape[] }
  | { of: string }
  | { by: string; base: Shape; kinds: Readonly<Record<string, Shape>> }

/** Types whose values are rows of their own: a row that is added is known at once. */
export const valueLists: Readonly<Record<string, readonly string[]>> = {
  Role: roles,
  Currency: Object.keys(currencies),
  Unit: Object.keys(units),
  MenuGroup: Object.keys(menuGroups),
  FieldType: Object.keys(traits),
}

/** Types by name. `npm run definitions` writes the file from the types in `src/schema`; a test says when it is out of date. */
const isTable = (value: unknown): value is Readonly<Record<string, Shape>> => isObject(value)
const shapes: Readonly<Record<string, Shape>> = {
  ...(isTable(table) ? table : {}),
  ...Object.fromEntries(Object.entries(valueLists).map(([name, is]) => [name, { is }])),
}

/** One deviation: `word` and `among` are given where a near word may be meant. */
export type Deviation = { code: string; path: string; message: string; near?: { word: string; among: readonly string[] } }

const said = (value: unknown) => (typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value)))
const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : isObject(value) ? 'keys' : typeof value)
const listed = (words: readonly string[]) => [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ')
const optional = (key: string) => key.endsWith('?')
export const bare = (key: string) => key.replace(/\?$/, '')

export const resolved = (shape: Shape): Shape => {
  const found = typeof shape === 'object' && 'of' in shape ? shapes[shape.of] : shape
  return found === undefined || found === shape ? shape : resolved(found)
}

export const alternativesOf = (shape: Shape): Shape[] => {
  const one = resolved(shape)
  return typeof one === 'object' && 'any' in one ? one.any.flatMap(alternativesOf) : [one]
}

/** Names of the facts of a type, of all its alternatives; empty for an unknown type. */
export const factNames = (type: string): readonly string[] => {
  const keys = alternativesOf({ of: type }).flatMap((one) =>
    typeof one === 'object' && 'keys' in one ? Object.keys(one.keys) : [],
  )
  return [...new Set(keys.map(bare))]
}

/** Values that fit a shape, in words. */
function wordsOf(shape: Shape): string[] {
  if (shape === 'any') return ['any value']
  if (shape === 'label') return ["a text in both languages, ['…', '…']"]
  if (shape === 'string') return ['a text']
  if (shape === 'number') return ['a number']
  if (shape === 'boolean') return ['true', 'false']
  if ('is' in shape) return shape.is.map(said)
  if ('list' in shape || 'parts' in shape) return ['a list']
  if ('keys' in shape)
    return [`{ ${Object.keys(shape.keys).slice(0, 5).map(bare).join(', ')}${Object.keys(shape.keys).length > 5 ? ', …' : ''} }`]
  return 'any' in shape ? shape.any.flatMap(wordsOf) : ['an object']
}

/** Alternatives of the same kind as a value: an object is held against objects only. */
export const fitting = (shape: Shape, value: unknown): boolean => {
  const kind = kindOf(value)
  if (typeof shape === 'string') return shape === kind || shape === 'any' || (shape === 'label' && kind === 'list')
  if ('is' in shape) return shape.is.includes(value)
  if ('list' in shape || 'parts' in shape) return kind === 'list'
  return kind === 'keys'
}

function wrongValue(path: string, value: unknown, alternatives: readonly Shape[]): Deviation {
  const words = [...new Set(alternatives.flatMap(wordsOf))]
  const among = alternatives.flatMap((one) => (typeof one === 'object' && 'is' in one ? one.is.map(String) : []))
  const isOnlyTrue = words.length > 0 && words[0] === 'true' && !words.includes('false')
  const message = `${said(value).slice(0, 80)} is no value here; take ${listed(words)}${isOnlyTrue ? ', or leave it out' : ''}`
  const isWord = typeof value === 'string' && among.some((one) => one !== 'true' && one !== 'false')
  return isWord
    ? { code: 'wrong-value', path, message: `${said(value)} is no value here`, near: { word: value, among } }
    : { code: 'wrong-value', path, message }
}

const strayKey = (path: string, word: string, among: readonly string[]): Deviation => ({
  code: 'stray-key',
  path,
  message: `there is no "${word}" here`,
  near: { word, among },
})

/** Keys that a type does not have, keys that it needs, and their values. */
function keysOf(path: string, value: object, keys: Readonly<Record<string, Shape>>): Deviation[] {
  const byName = new Map(Object.entries(keys).map(([key, shape]) => [bare(key), { shape, isOptional: optional(key) }]))
  const among = [...byName.keys()]
  const found = Object.entries(value).flatMap(([key, item]): Deviation[] => {
    const known = byName.get(key)
    if (known) return item === undefined ? [] : deviations(`${path}.${key}`, item, known.shape)
    return [strayKey(`${path}.${key}`, key, among)]
  })
  const missing = among.filter((key) => !byName.get(key)?.isOptional && Reflect.get(value, key) === undefined)
  return [
    ...found,
    ...missing.map((key) => ({ code: 'missing-key', path: `${path}.${key}`, message: `"${key}" is needed here` })),
  ]
}

/** Values under names of one's own, or of a list. */
function mapOf(path: string, value: object, { map, among }: Extract<Shape, { map: Shape }>): Deviation[] {
  const names = among === undefined ? undefined : valueLists[among]
  return Object.entries(value).flatMap(([key, item]): Deviation[] =>
    !names || names.includes(key) ? deviations(`${path}.${key}`, item, map) : [strayKey(`${path}.${key}`, key, names)],
  )
}

/** Deviations of a value from one shape without alternatives. */
function single(path: string, value: unknown, shape: Shape): Deviation[] {
  if (!fitting(shape, value)) return [wrongValue(path, value, [shape])]
  const untold = shape === 'label' ? labelFault(value) : undefined
  if (untold) return [{ code: 'missing-translation', path, message: untold }]
  if (typeof shape === 'string' || 'is' in shape) return []
  if ('list' in shape && Array.isArray(value))
    return value.flatMap((item, index) => deviations(`${path}[${index}]`, item, shape.list))
  if ('parts' in shape && Array.isArray(value))
    return shape.parts.length === value.length
      ? shape.parts.flatMap((part, index) => deviations(`${path}[${index}]`, value[index], part))
      : [{ code: 'wrong-value', path, message: `a list of ${shape.parts.length} stands here, and not of ${value.length}` }]
  if (!isObject(value)) return []
  if ('map' in shape) return mapOf(path, value, shape)
  if ('keys' in shape) return keysOf(path, value, shape.keys)
  return 'by' in shape ? ofKind(path, value, shape) : []
}

/** A field: the facts of every field, and those of its type. An unknown type is reported elsewhere. */
function ofKind(path: string, value: Readonly<Record<string, unknown>>, { by, base, kinds }: Extract<Shape, { by: string }>) {
  const name = String(value[by])
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  const common = resolved(base)
  if (typeof kind !== 'object' || !('keys' in kind) || typeof common !== 'object' || !('keys' in common)) return []
  return keysOf(path, value, { ...common.keys, ...kind.keys, [by]: 'string' })
}

/** Every deviation of a value from a shape. Among alternatives the one with the fewest deviations is meant. */
export function deviations(path: string, value: unknown, shape: Shape): Deviation[] {
  const all = alternativesOf(shape)
  const near = all.filter((one) => fitting(one, value))
  if (near.length === 0) return [wrongValue(path, value, all)]
  const [best] = near.map((one) => single(path, value, one)).toSorted((a, b) => a.length - b.length)
  return best ?? []
}
