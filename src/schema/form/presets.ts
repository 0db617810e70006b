import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { type RuleContext, topOf, valueAt } from '#schema/rule.ts'
import { storedTexts } from '#schema/value-schema.ts'
import { isEmpty } from './is-empty.ts'
import { movedTime, moveOf } from './moved-time.ts'

type Row = Readonly<Record<string, unknown>>

const part = /\{([A-Za-z][\w.]*)\}/g

/** True for a default that is computed on create. */
export const isComputed = (preset: unknown): preset is string =>
  typeof preset === 'string' && (preset.startsWith('$') || preset.search(part) >= 0)

/** A constant default; computed ones need the whole record. */
export const constantDefault = (field: Field | undefined): unknown =>
  field && 'default' in field && !isComputed(field.default) ? field.default : undefined

/** Fields that a default reads, from its placeholders. */
export const sourcesOf = (preset: string): string[] => [...preset.matchAll(part)].map(([, name = '']) => name)

const presetOf = (field: Field): unknown => ('default' in field ? field.default : undefined)

const asText = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : undefined

/** Template text with its values; null while one is empty. */
function composedText(preset: string, values: Row): string | null {
  const parts = sourcesOf(preset).map((name) => asText(valueAt(values, name)))
  return parts.includes(undefined) ? null : preset.replace(part, (_, name: string) => asText(valueAt(values, name)) ?? '')
}

const moments: Readonly<Record<string, (context: RuleContext) => string>> = {
  $now: ({ now }) => now,
  $today: ({ now }) => now.slice(0, 10),
  '$user.id': ({ user }) => user.id,
}

/** Value of a computed default from the record's other values; null while an input is empty. */
function computed(preset: string, values: Row, context: RuleContext): unknown {
  const move = moveOf(preset)
  if (move) {
    const from = computed(move.from, values, context)
    return typeof from === 'string' ? (movedTime(from, move) ?? null) : null
  }
  const [only, ...others] = sourcesOf(preset)
  if (only === undefined) return moments[preset]?.(context) ?? null
  return others.length === 0 && preset === `{${only}}` ? (valueAt(values, only) ?? null) : composedText(preset, values)
}

/** Computed defaults of all empty fields. Shared by both ends. */
export function presetValues(fields: Fields, values: Row, context: RuleContext): Record<string, unknown> {
  const open = Object.entries(fields).filter(([name, field]) => isEmpty(values[name]) && isComputed(presetOf(field)))
  let found: Record<string, unknown> = {}
  // A default may depend on another one, so the pass is repeated once per field.
  for (const _ of open) {
    const known = { ...values, ...found }
    found = Object.fromEntries(open.map(([name, field]) => [name, computed(String(presetOf(field)), known, context)]))
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => !isEmpty(value)))
}

/** True when a computed default depends on an invalid value: its emptiness is then no fault of its own. */
export const waitsFor = (field: Field | undefined, faulty: ReadonlySet<string>): boolean => {
  const preset = field && presetOf(field)
  return isComputed(preset) && sourcesOf(preset).some((name) => faulty.has(topOf(name)))
}

function storedValue(field: Field | undefined, value: unknown): unknown {
  if (typeof value === 'string') return storedTexts(field)(value)
  if (field?.type !== 'group' || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, storedValue(field.fields[key], part)]))
}

/** Sources of a default, normalised as the server stores them: a code that is typed in small letters has capitals there. */
const sourceValues = (fields: Fields, preset: string, values: Row): Row => {
  const sources = new Set(sourcesOf(preset).map(topOf))
  return { ...values, ...Object.fromEntries([...sources].map((name) => [name, storedValue(fields[name], values[name])])) }
}

/** Form values after a change: an unedited computed default is recomputed. */
export function followPresets(fields: Fields, before: Row, after: Row, context: RuleContext): Row {
  const following = Object.entries(fields).flatMap(([name, field]) => {
    const preset = presetOf(field)
    if (!isComputed(preset) || sourcesOf(preset).length === 0 || after[name] !== before[name]) return []
    const earlier = computed(preset, sourceValues(fields, preset, before), context)
    return (isEmpty(earlier) ? isEmpty(before[name]) : earlier === before[name]) ? [{ name, field, preset }] : []
  })
  if (following.length === 0) return after
  const cleared = { ...after, ...Object.fromEntries(following.map(({ name }) => [name, null])) }
  const stored = following.reduce((values, { preset }) => sourceValues(fields, preset, values), cleared)
  const open = Object.fromEntries(following.map(({ name, field }) => [name, field]))
  return { ...cleared, ...presetValues(open, stored, context) }
}
