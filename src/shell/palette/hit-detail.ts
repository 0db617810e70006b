import type { Row, Wording } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { referenceTitle } from '#fields/reference/reference-summary.ts'
import { type Definitions, fieldOf, journalPartOf, listOf, titleOf } from '#schema/definition.ts'
import { journalLabel } from '#schema/journal/journal-words.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { say } from '#schema/words.ts'
import { cardOf } from '#views/cards/card-of.ts'

/** More would hide that they differ. */
const mostParts = 3

/** References of the record first, then its searched fields, then the rest of its card; a summary stands alone. */
function pathsOf(resource: AnyResource): string[] {
  if (resource.summary) return [...resource.summary]
  const paths = [...listOf(resource).search, ...cardOf(resource).flat()]
  const isAbout = (path: string) => fieldOf(resource, path)?.type === 'reference'
  return [...new Set([...paths.filter(isAbout), ...paths])]
}

/** Detail of a hit, which tells it from others with the same label. */
export function hitDetail(
  resource: AnyResource,
  { row, label }: { row: Row; label: string },
  wording: Wording & { definitions: Definitions },
): string {
  const textOf = (path: string): string => {
    const field = fieldOf(resource, path)
    const value = valueAt(row, path)
    if (!field || path === titleOf(resource) || !value) return ''
    const part = journalPartOf(resource, path)
    if (part && resource.journal)
      return say(journalLabel(part, { journal: resource.journal, row }, wording.definitions), wording.language)
    if (field.type === 'reference') return referenceTitle(wording.definitions.get(field.to), row, path, value)
    return fieldText(field, value, wording)
  }
  const texts = pathsOf(resource).map(textOf)
  return [...new Set(texts.filter((text) => text && !label.includes(text)))].slice(0, mostParts).join(' · ')
}
