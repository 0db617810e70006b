import type { Field } from '#schema/field-types.ts'
import type { Wording } from './field-kind.ts'
import { kindOf } from './registry.ts'

/** No value: null, undefined, an empty text or an empty list. Zero and false are values. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A value as plain text in the viewer's language; empty when there is none. */
export function fieldText(field: Field, value: unknown, wording: Wording): string {
  if (isEmpty(value)) return ''
  return kindOf(field).toText(field, value, wording, (part, inner) => fieldText(part, inner, wording))
}
