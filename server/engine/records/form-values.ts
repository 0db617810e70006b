import { isDeepStrictEqual } from 'node:util'
import { isWritable, mayWrite } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { isComputed, presetValues } from '#schema/form/presets.ts'
import { isObject } from '#schema/is-object.ts'
import type { Role } from '#schema/roles.ts'
import type { RuleContext } from '#schema/rule.ts'
import type { Row } from './resource-rules.ts'

export type Verb = 'create' | 'edit'

/** A constant default; computed ones need the whole record. */
const defaultOf = (field: Field): unknown => ('default' in field && !isComputed(field.default) ? field.default : undefined)

type Situation = { verb: Verb; role: Role }
type Stored = { sent: Row; current: Row; verb: Verb; presets?: Fields; context: RuleContext }
type Place = { path: string; current: unknown }

/** A group is stored with all its parts; parts that may not be written keep their value, and changing one is a fault. */
function groupValue(field: FieldOf<'group'>, value: Row, place: Place, situation: Situation, faults: Fault[]): Row {
  const current = isObject(place.current) ? place.current : {}
  const entries = Object.entries(field.fields).map(([key, part]) => {
    const path = `${place.path}.${key}`
    const sent = value[key]
    const kept = current[key] ?? null
    if (isWritable(part, situation.verb) && mayWrite(part, situation.role)) {
      return [key, fieldValue(part, sent, { path, current: kept }, situation, faults)]
    }
    if (sent !== undefined && !isDeepStrictEqual(sent ?? null, kept)) faults.push({ path, code: 'read-only', params: { key } })
    return [key, kept]
  })
  return Object.fromEntries(entries)
}

function fieldValue(field: Field, sent: unknown, place: Place, situation: Situation, faults: Fault[]): unknown {
  const value = sent ?? (sent === undefined ? defaultOf(field) : undefined) ?? null
  return field.type === 'group' && isObject(value) ? groupValue(field, value, place, situation, faults) : value
}

/**
 * Validated values in storage form: complete groups, and defaults on create. Reports changed read-only parts, and required
 * values that are null. `presets`: fields whose computed defaults apply, including those that the caller may not write.
 */
export function storedValues(
  fields: Fields,
  { sent, current, verb, presets, context }: Stored,
): { values: Row; faults: Fault[] } {
  const faults: Fault[] = []
  const role = context.user.role
  const names = verb === 'create' ? Object.keys(fields) : Object.keys(fields).filter((name) => sent[name] !== undefined)
  const values: Row = {}
  const required: string[] = []
  for (const name of names) {
    const field = fields[name]
    if (!field) continue
    const value = fieldValue(field, sent[name], { path: name, current: current[name] }, { verb, role }, faults)
    if (value === null && field.required === true && !field.when) required.push(name)
    if (value !== null || sent[name] !== undefined) values[name] = value
  }
  const unsent = Object.fromEntries(Object.entries(presets ?? {}).filter(([name]) => sent[name] === undefined))
  if (verb === 'create') Object.assign(values, presetValues(unsent, { ...current, ...values }, context))
  for (const path of required) if ((values[path] ?? null) === null) faults.push({ path, code: 'required' })
  return { values, faults }
}

/** A value without embedded data: a group has exactly its parts, without summaries of its references. */
export function ownValue(field: Field | undefined, value: unknown): unknown {
  if (field?.type !== 'group' || !isObject(value)) return value ?? null
  return Object.fromEntries(Object.entries(field.fields).map(([key, part]) => [key, ownValue(part, value[key])]))
}

/** The part of a change that differs from the stored values. */
export const realChange = (fields: Fields, change: Row, current: Row): Row =>
  Object.fromEntries(
    Object.entries(change).filter(
      ([name, value]) => !isDeepStrictEqual(ownValue(fields[name], value), ownValue(fields[name], current[name])),
    ),
  )
