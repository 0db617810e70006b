import type { Row, Wording } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { fieldOf, listOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { say } from '#schema/words.ts'
import { shownTitle } from '#views/shared/shown-title.ts'

/** Ids start alike and differ at their ends. */
const shownOfId = 8

/** The moment by which the list is sorted, which identifies a record without a title better than its id. */
function momentOf(resource: AnyResource, record: Row, wording: Wording): string {
  const { field: path } = listOf(resource).sort
  const field = fieldOf(resource, path)
  return field?.type === 'dateTime' ? fieldText(field, valueAt(record, path), wording) : ''
}

/** Heading of a record: its title, else the resource with the record's moment or the end of its id. */
export function recordHeading(resource: AnyResource, record: Row, wording: Wording): string {
  const id = String(record.id)
  const title = shownTitle(resource, record, wording.language)
  if (title !== undefined && title !== id) return title
  return `${say(resource.label.one, wording.language)} ${momentOf(resource, record, wording) || id.slice(-shownOfId)}`
}
