import type { FieldIn, Row, Wording } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { referenceTitle, summaryPath } from '#fields/reference/reference-summary.ts'
import { fieldWords } from '#fields/words.ts'
import { type Definitions, fieldOf, listOf } from '#schema/definition.ts'
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

/** Title of a record, else the resource with the record's moment or the end of its id. */
export function ownHeading(resource: AnyResource, record: Row, wording: Wording): string {
  const id = String(record.id)
  const title = shownTitle(resource, record, wording.language)
  if (title !== undefined && title !== id) return title
  return `${say(resource.label.one, wording.language)} ${momentOf(resource, record, wording) || id.slice(-shownOfId)}`
}

type Naming = Pick<Wording, 'language'> & { definitions?: Definitions }
type Reference = { path: string; field: FieldIn<'reference'> }

/** References at the paths, as far as the record has them. */
export const referencesOf = (
  resource: AnyResource,
  record: Row,
  paths: readonly string[] = resource.about ?? [],
): Reference[] =>
  paths.flatMap((path) => {
    const field = fieldOf(resource, path)
    return field?.type === 'reference' && valueAt(record, path) ? [{ path, field }] : []
  })

/** Name of what a reference points to. The server sends null in place of a record that the viewer may not see. */
export const nameOf = ({ path, field }: Reference, record: Row, { definitions, language }: Naming): string =>
  valueAt(record, summaryPath(path)) === null
    ? say(fieldWords.unseen, language)
    : referenceTitle(definitions?.get(field.to), record, path, valueAt(record, path))

/** Heading of a record as text: its own, and what it is about. */
export const recordHeading = (resource: AnyResource, record: Row, wording: Wording & { definitions?: Definitions }): string =>
  [ownHeading(resource, record, wording), ...referencesOf(resource, record).map((each) => nameOf(each, record, wording))].join(
    ' · ',
  )
