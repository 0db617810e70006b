import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { recordTitle } from '#fields/reference/reference-summary.ts'
import { fieldOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Language, say } from '#schema/words.ts'

/** Ids start alike and differ at their ends. */
const shownOfId = 8

/** Heading of a record: its title, else the resource and the end of its id. */
export function recordHeading(resource: AnyResource, record: Row, language: Language): string {
  const id = String(record.id)
  const field = fieldOf(resource, titleOf(resource))
  if (field?.type === 'enum') return fieldText(field, record[titleOf(resource)], { language }) || id.slice(-shownOfId)
  const title = recordTitle(resource, record)
  return title === undefined || title === id ? `${say(resource.label.one, language)} ${id.slice(-shownOfId)}` : title
}
