import { isDeepStrictEqual } from 'node:util'
import { isSetKey, isWritable, mayWrite } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { constantDefault, presetValues } from '#schema/form/presets.ts'
import { isObject } from '#schema/is-object.ts'
import { writableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import type { RuleContext } from '#schema/rule.ts'
import type { Row } from './resource-rules.ts'

export type Verb = 'create' | 'edit'

/** The field as code of the server may write it: what `readOnly` closes is closed to forms only. */
function openField(field: Field): Field {
  const { readOnly: _readOnly, ...open } = field
  return 'fields' in open && open.type === 'group' ? { ...open, fields: openFields(open.fields) } : (open as Field)
}

const openFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, openField(field)]))

/** Fields that a call may write. `byServer`: it is one of a rule or a handler, not a form that a person sent. */
export const fieldsOfCall = (resource: AnyResource, verb: Verb, { role, byServer }: { role: Role; byServer: boolean }) =>
  writableFields(byServer ? { ...resource, fields: openFields(resource.fields) } : resource, verb, role)

type Situation = { verb: Verb; role: Role }
type Stored = { sent: Row; current: Row; verb: Verb; presets?: Fields; context: RuleContext }
type Place = { path: string; current: unknown }

const isOpen = (part: Field, { verb, role }: Situation) => isWritable(part, verb) && mayWrite(part, role)

/** A group is stored with all its parts; parts that may not be written keep their value, and changing one is a fault. */
function groupValue(field: FieldOf<'group'>, value: Row, place: Place, situation: Situation, faults: Fault[]): Row {
  const current = isObject(place.current) ? place.current : {}
  const entries = Object.entries(field.fields).map(([key, part]) => {
    const path = `${place.path}.${key}`
    const sent = value[key]
    const kept = current[key] ?? null
    if (isOpen(part, situation)) {
      return [key, fieldValue(part, sent, { path, current: kept }, situation, faults)]
    }
    if (sent !== undefined && !isDeepStrictEqual(sent ?? null, kept)) faults.push({ path, code: 'read-only', params: { key } })
    return [key, kept]
  })
  return Object.fromEntries(entries)
}

/** An emptied group keeps what may not be written; null when that is nothing. Its required parts then have no value. */
function emptiedGroup(field: FieldOf<'group'>, place: Place, situation: Situation, faults: Fault[]): Row | null {
  const open = Object.entries(field.fields).filter(([, part]) => isOpen(part, situation))
  const left = groupValue(field, Object.fromEntries(open.map(([key]) => [key, null])), place, situation, faults)
  if (Object.values(left).every((part) => part === null)) return null
  const missing = open.filter(([, part]) => part.required === true)
  faults.push(...missing.map(([key]) => ({ path: `${place.path}.${key}`, code: 'required' })))
  return left
}

/** A row with defaults for the parts that it was sent without. */
function rowValue(fields: Fields, row: unknown): unknown {
  if (!isObject(row)) return row
  const parts = Object.entries(fields).flatMap(([key, part]): [string, unknown][] => {
    if (row[key] === undefined) return constantDefault(part) === undefined ? [] : [[key, constantDefault(part)]]
    return part.type === 'group' ? [[key, rowValue(part.fields, row[key])]] : []
  })
  return { ...row, ...Object.fromEntries(parts) }
}

/** Defaults are of new rows: one that was there before stays as it is. */
function rowsOf(field: FieldOf<'list'>, rows: readonly unknown[], { current }: Place): unknown[] {
  const stored: readonly unknown[] = Array.isArray(current) ? current : []
  return rows.map((row) => (stored.some((one) => isDeepStrictEqual(one, row)) ? row : rowValue(field.fields, row)))
}

function fieldValue(field: Field, sent: unknown, place: Place, situation: Situation, faults: Fault[]): unknown {
  const value = sent ?? (sent === undefined ? constantDefault(field) : undefined) ?? null
  if (field.type === 'list' && Array.isArray(value)) return rowsOf(field, value, place)
  if (field.type !== 'group') return value
  return isObject(value) ? groupValue(field, value, place, situation, faults) : emptiedGroup(field, place, situation, faults)
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

/** A stored secret is not read: a new one always differs, and null where there is one. */
const differs = (field: Field | undefined, name: string, { value, current }: { value: unknown; current: Row }) =>
  field?.type === 'secret'
    ? (value ?? null) !== null || current[isSetKey(name)] === true
    : !isDeepStrictEqual(ownValue(field, value), ownValue(field, current[name]))

/** The part of a change that differs from the stored values. */
export const realChange = (fields: Fields, change: Row, current: Row): Row =>
  Object.fromEntries(Object.entries(change).filter(([name, value]) => differs(fields[name], name, { value, current })))
