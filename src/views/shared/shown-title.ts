import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { recordTitle } from '#fields/reference/reference-summary.ts'
import { fieldOf, titleOf } from '#schema/definition.ts'
import { hasChoices } from '#schema/facts/choices.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { Language } from '#schema/words.ts'

/** Title of a record as people read it: a code by its label. */
export function shownTitle(resource: AnyResource, record: Row | undefined, language: Language): string | undefined {
  const field = fieldOf(resource, titleOf(resource))
  const label = field && hasChoices(field) && record ? fieldText(field, valueAt(record, titleOf(resource)), { language }) : ''
  return label || recordTitle(resource, record)
}
