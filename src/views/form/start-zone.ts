import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { Values } from './form-values.ts'

const isOpen = (value: unknown) => value === null || value === undefined || value === ''

function startOf(field: Field, value: unknown, zone: string): unknown {
  if (!field.required) return value
  if (field.type === 'timezone') return isOpen(value) ? zone : value
  if (field.type !== 'group') return value
  const parts = isObject(value) ? value : {}
  const started = startInZone(field.fields, { ...parts }, zone)
  return Object.values(started).every(isOpen) ? value : started
}

/** Required time zones default to the viewer's own, in required groups as well. */
export function startInZone(fields: Fields, values: Values, zone: string): Values {
  const started = Object.entries(fields).map(([name, field]): [string, unknown] => [name, startOf(field, values[name], zone)])
  return { ...values, ...Object.fromEntries(started) }
}
