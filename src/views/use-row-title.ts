import { useCallback } from 'react'
import { useDefinitions } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { recordTitle, referenceTitle } from '#fields/reference-summary.ts'
import { fieldOf, listOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'

/** What tells a row from its neighbours: its title; where that is but an id, what its first reference points to. */
export function useRowTitle(resource: AnyResource): (row: Row) => string {
  const definitions = useDefinitions()
  return useCallback(
    (row) => {
      const title = recordTitle(resource, row) ?? String(row.id)
      if (titleOf(resource) !== 'id') return title
      const references = listOf(resource).columns.flatMap((path) => {
        const field = fieldOf(resource, path)
        const id = valueAt(row, path)
        return field?.type === 'reference' && id ? [referenceTitle(definitions.get(field.to), row, path, id)] : []
      })
      return references[0] ?? title
    },
    [resource, definitions],
  )
}
