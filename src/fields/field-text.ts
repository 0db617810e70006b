import type { Field } from '#schema/field-types.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import type { Wording } from './field-kind.ts'
import { fieldKindOf } from './registry.ts'

/** A value as plain text in the viewer's language; empty when there is none. */
export function fieldText(field: Field, value: unknown, wording: Wording): string {
  if (isEmpty(value)) return ''
  return fieldKindOf(field).toText(field, value, wording, (part, inner) => fieldText(part, inner, wording))
}
