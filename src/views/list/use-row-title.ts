import { useCallback } from 'react'
import { useDefinitions, useLanguage } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { recordTitle, referenceTitle } from '#fields/reference/reference-summary.ts'
import { fieldOf, listOf, titleOf } from '#schema/definition.ts'
import { hasChoices } from '#schema/facts/choices.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { recordHeading } from '#views/show/record-heading.ts'

/** A distinguishing title of a row: its title, or, when that is only an id or a kind, the record it references. */
export function useRowTitle(resource: AnyResource): (row: Row) => string {
  const definitions = useDefinitions()
  const language = useLanguage()
  return useCallback(
    (row) => {
      const title = recordTitle(resource, row) ?? String(row.id)
      const named = fieldOf(resource, titleOf(resource))
      const isKind = named !== undefined && hasChoices(named)
      if (titleOf(resource) !== 'id' && !isKind) return title
      const references = listOf(resource).columns.flatMap((path) => {
        const field = fieldOf(resource, path)
        const id = valueAt(row, path)
        return field?.type === 'reference' && id ? [referenceTitle(definitions.get(field.to), row, path, id)] : []
      })
      if (isKind) return [recordHeading(resource, row, { language }), ...references.slice(0, 2)].join(' · ')
      return references[0] ?? title
    },
    [resource, definitions, language],
  )
}
