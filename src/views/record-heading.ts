import type { Row } from '#fields/field-kind.ts'
import { recordTitle } from '#fields/reference-summary.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Language, say } from '#schema/words.ts'

/** Ids are told apart by their ends. */
const shownOfId = 8

/** What a record's page is called: its title; where nothing stands for it but its id, the resource with the end of that. */
export function recordHeading(resource: AnyResource, record: Row, language: Language): string {
  const id = String(record.id)
  const title = recordTitle(resource, record)
  return title === undefined || title === id ? `${say(resource.label.one, language)} ${id.slice(-shownOfId)}` : title
}
