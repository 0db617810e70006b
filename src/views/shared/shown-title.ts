import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { recordTitle } from '#fields/reference/reference-summary.ts'
import { fieldOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Language } from '#schema/words.ts'

/** Title of a record as people read it: a code by its label. */
export function shownTitle(resource: AnyResource, record: Row | undefined, language: Language): string | undefined {
  const field = fieldOf(resource, titleOf(resource))
  const isKind = field?.type === 'enum' || field?.type === 'status'
  const label = isKind && record ? fieldText(field, record[titleOf(resource)], { language }) : ''
  return label || recordTitle(resource, record)
}
